import { filedSummary } from '../../service/rules/index.js';
import type { Sql } from '../../store/client/index.js';
import { replaceSummary, type Summary } from '../../store/conversations/index.js';
import { readStored, type StoredInput } from '../input/index.js';
import { photoSummary } from '../photos/index.js';
import { followingOf, structureByModel } from '../summary/index.js';
import type { StepContext } from '../work/index.js';
import type { Step } from './step.js';

interface StructureInput extends StoredInput {
  readonly context: StepContext;
  /** The summary of the images if the conversation has no speech; null otherwise. */
  readonly seen: Summary | null;
}

/**
 * Summarises a conversation that already has a summary. The step runs for conversations that a client supplied, because
 * such conversations have only a built-in summary. It also runs if a user requests that a conversation is processed
 * again. The step never discards the conversation. A title or folder that the user chose stays, and so does the user's
 * decision to discard or keep the conversation.
 */
export const structureStep: Step<StructureInput, Summary> = {
  async read(context, { conversation_id: id }) {
    const stored = await readStored(context, id);
    if (stored === null) return null;
    const isSilent = stored.transcript.segments.length === 0;
    const seen = isSilent ? await photoSummary(context.sql, stored.content.uid, stored.content.id) : null;
    return { ...stored, context, seen };
  },
  async byModel({ model, signal }, input) {
    if (input.seen !== null) return input.seen;
    return filedSummary(await structureByModel(model, input, signal), model.nameOf('structure'));
  },
  async builtIn({ extractor }, { transcript, content, seen }) {
    if (seen !== null) return seen;
    const { structured, generated_by: by } = content;
    // The rules give the same summary for the same transcript, so their stored summary is used again.
    const known = structured !== null && by === extractor.name && !content.discarded;
    return filedSummary(
      known ? structured : await extractor.extract(transcript, content.uid),
      extractor.name,
    );
  },
  async store(sql, input, summary) {
    await replaceSummary(
      sql as unknown as Sql,
      input.content,
      summary,
      input.seen === null ? followingOf(input.context, input, summary) : { steps: [], day: null },
    );
  },
};

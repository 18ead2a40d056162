import { filedSummary } from '../../service/index.js';
import type { Summary } from '../../store/conversation-completion.js';
import type { Sql } from '../../store/database.js';
import { replaceSummary } from '../../store/finished-conversations.js';
import type { StepContext } from '../context.js';
import { readStored, type StoredInput } from '../conversation-input.js';
import { followingOf } from '../following.js';
import type { Step } from './step.js';
import { structureByModel } from './structure-by-model.js';

interface StructureInput extends StoredInput {
  readonly context: StepContext;
}

/**
 * The summary of a conversation that has one: of a supplied one, which got that of the built-in implementation when it came, and
 * of one that is processed again. It is kept whatever it says, and its user's title, discarding and folder stay.
 */
export const structureStep: Step<StructureInput, Summary> = {
  async read(context, { conversation_id: id }) {
    const stored = await readStored(context, id);
    return stored && { ...stored, context };
  },
  async byModel({ model, signal }, input) {
    return filedSummary(await structureByModel(model, input, signal), model.nameOf('structure'));
  },
  async builtIn({ extractor }, { transcript, content }) {
    const { structured, generated_by: by } = content;
    // The same transcript gives the same summary.
    const known = structured !== null && by === extractor.name && !content.discarded;
    return filedSummary(known ? structured : await extractor.extract(transcript), extractor.name);
  },
  async store(sql, input, summary) {
    await replaceSummary(
      sql as unknown as Sql,
      input.content,
      summary,
      followingOf(input.context, input, summary),
    );
  },
};

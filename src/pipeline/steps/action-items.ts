import { z } from 'zod';
import { momentAt } from '../../common/local-time/index.js';
import { type FoundActionItem, replaceFoundActionItems } from '../../service/records/index.js';
import { listActionItemRows } from '../../store/records/index.js';
import { actionItemBounds } from '../../wire/records/index.js';
import { dataWith, languageRule, ownerRule, readStored, type StoredInput, timeRule } from '../input/index.js';
import type { Step } from './step.js';

const day = 86_400_000;
const mostItems = 10;
/** Maximum number of open tasks that the model reads, so that it does not return them again. */
const mostKnown = 10;
const knownAge = 7 * day;
const horizon = 5 * 366 * day;

interface ActionItemsInput extends StoredInput {
  /** Descriptions of open tasks from other conversations. */
  readonly known: readonly string[];
}

const answer = z.strictObject({
  items: z
    .array(
      z.strictObject({
        description: z.string().min(1).max(actionItemBounds.description),
        due: z.string().max(40).nullable(),
      }),
    )
    .max(mostItems),
});

const instructions = (input: StoredInput): string =>
  [
    'You find tasks in the transcript of a conversation that its owner has to do later. Most conversations have none: answer with an empty list then.',
    ownerRule(input.owner),
    languageRule(input.owner),
    timeRule(input),
    'A task needs all of these: the owner took it on or was asked for it; it is a concrete action; there is a hint of when; it would matter if it were forgotten.',
    'Leave out what is being done at the moment, what was answered at once, what is already done, what others do, and what the data lists as known.',
    'One task for a subject. description: begins with a verb, at most 15 words. due: local time, or null.',
  ].join('\n');

/** Parses a due date. Returns null if it is absent, in the past or too far away. */
const dueOf = (given: string | null, { owner, transcript }: StoredInput): Date | null => {
  const moment = given === null ? null : momentAt(given, owner.timeZone);
  if (moment === null) return null;
  const ahead = moment.getTime() - transcript.startedAt.getTime();
  return ahead <= 0 || ahead > horizon ? null : moment;
};

/** Finds the tasks of a conversation. They replace the tasks of an earlier run. */
export const actionItemsStep: Step<ActionItemsInput, readonly FoundActionItem[]> = {
  async read(context, { conversation_id: id }) {
    const stored = await readStored(context, id);
    if (!stored || stored.content.discarded) return null;
    if (context.model === null) return { ...stored, known: [] };
    const { rows } = await listActionItemRows(context.sql, stored.owner.uid, {
      completed: false,
      from: new Date(Date.now() - knownAge),
      after: null,
      limit: 2 * mostKnown,
      offset: 0,
    });
    const known = rows.filter((row) => row.conversation_id !== id).map(({ description }) => description);
    return { ...stored, known: known.slice(0, mostKnown) };
  },
  async byModel({ model, signal }, input) {
    const { items } = await model.ask(
      {
        step: 'action_items',
        uid: input.owner.uid,
        instructions: instructions(input),
        data: dataWith('Tasks that are known already', input.known, input.text),
        answerTokens: 1000,
        signal,
      },
      answer,
    );
    return items.map(({ description, due }) => ({ description, due_at: dueOf(due, input) }));
  },
  async builtIn({ extractor }, { content, transcript }) {
    const { structured, generated_by: by } = content;
    const { action_items: items } =
      structured !== null && by === extractor.name
        ? structured
        : await extractor.extract(transcript, content.uid);
    return items.map(({ description, due_at: due }) => ({
      description,
      due_at: due === null ? null : new Date(due),
    }));
  },
  async store(sql, { content }, found) {
    await replaceFoundActionItems(sql, content, found);
  },
};

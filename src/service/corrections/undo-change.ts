import { validate as isUuid } from 'uuid';
import { mapInSlices } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { lockLateWords, transcriptCorrected } from '../../store/conversations/index.js';
import {
  endMoved,
  forgetChange,
  lockChange,
  lockChanged,
  restoreBelongings,
  restoreConversations,
  restoreSegments,
  type Since,
  searchAgain,
  segmentPlaces,
  sinceChange,
  type UndoableChange,
} from '../../store/corrections/index.js';
import { requestSteps } from '../../store/jobs/index.js';
import { tokensOf } from '../structure/language/index.js';
import { divideFound, summariseTasks } from './found-records.js';

/** The result of a split or a merge. */
export interface DividedResult {
  /** The new conversation of a split; the conversation that stays after a merge. */
  readonly id: string;
  /** Identifies the change for `undoChange`; null if it cannot be undone, because it has too many segments. */
  readonly undo: string | null;
}

/** The result of undoing a split or a merge. */
export interface UndoneChange {
  /** The conversation that was split, or into which others were merged. */
  readonly id: string;
  /** Ids of all conversations that are as they were before the change. */
  readonly ids: readonly string[];
}

const refuse = (since: Since): void => {
  const why =
    (since.elsewhere && 'a conversation was split, merged or deleted since') ||
    (since.words && 'words were added or moved since') ||
    (since.photos && 'an image was added since') ||
    (since.marks && 'a title, a star or a folder was changed since');
  if (why) throw new CochleaError('undo_refused', { why });
};

const wordsOf = async (sql: TransactionSql, id: string): Promise<ReadonlySet<string>> =>
  new Set((await mapInSlices(await segmentPlaces(sql, id), ({ text }) => tokensOf(text))).flat());

/**
 * When a merge is undone, divides the tasks and memories that were found since the merge. Each of them goes to the
 * conversation in which most of its words occur.
 */
const divideNew = async (
  sql: TransactionSql,
  uid: string,
  [kept, ...others]: readonly string[],
): Promise<void> => {
  const first = await wordsOf(sql, kept!);
  for (const to of others)
    await divideFound(sql, uid, { id: kept!, first }, { to, second: await wordsOf(sql, to) });
};

const afterOf = ({ conversation_id: kept, part_id: part }: UndoableChange): readonly string[] =>
  part === null ? [kept] : [kept, part];

const restore = async (
  sql: TransactionSql,
  uid: string,
  change: UndoableChange,
  since: Since,
): Promise<void> => {
  const { id, kind, before, part_id: part, conversation_id: kept } = change;
  const after = afterOf(change);
  await restoreSegments(sql, id, after, !since.said);
  await restoreBelongings(sql, id, uid, after);
  await restoreConversations(sql, id, [...before, ...after]);
  if (part !== null) await endMoved(sql, part, kept);
  if (since.found) {
    if (kind === 'merge') await divideNew(sql, uid, before);
    for (const one of before) await summariseTasks(sql, uid, one);
    // If a conversation was summarised since the change, its earlier tasks and memories were replaced. So the steps
    // that find them run again for each conversation.
    if (since.summarised)
      for (const one of before)
        await requestSteps(sql, uid, one, [
          { step: 'action_items', again: true },
          { step: 'memories', again: true },
        ]);
  }
  if (since.said) for (const one of before) await transcriptCorrected(sql, uid, one);
  await searchAgain(sql, before);
};

/**
 * Undoes a split or a merge. Each conversation gets back its segments, photos, tasks, memories, title, summary, star
 * and folder. Texts and speakers that were corrected since the change stay corrected. If there are such corrections,
 * the conversations are summarised again. If a summary has replaced the tasks and memories since the change, they are
 * looked for again.
 * @param given id of the change.
 * @throws CochleaError `undo_ended` for an unknown change; `locked`; `undo_refused` if something would be lost. After
 * an error nothing has changed.
 */
export const undoChange = async (sql: Sql, uid: string, given: string): Promise<UndoneChange> =>
  (await sql.begin(async (transaction) => {
    await lockLateWords(transaction, uid);
    const change = isUuid(given) ? await lockChange(transaction, uid, given) : null;
    if (change === null) throw new CochleaError('undo_ended');
    const { id, before, part_id: part, conversation_id: kept } = change;
    const ended = before.filter((one) => one !== kept);
    const locked = await lockChanged(transaction, uid, [...before, ...(part === null ? [] : [part])]);
    if (locked.some(({ is_locked }) => is_locked)) throw new CochleaError('locked', { kind: 'conversation' });
    const since = await sinceChange(transaction, uid, id, { after: afterOf(change), ended });
    refuse(since);
    await restore(transaction, uid, change, since);
    await forgetChange(transaction, id);
    return { id: kept, ids: before };
  })) as UndoneChange;

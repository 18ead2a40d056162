import { randomUUID } from 'node:crypto';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { lockLateWords, transcriptCorrected } from '../../store/conversations/index.js';
import {
  type DividedConversation,
  dividedConversation,
  endMoved,
  keepMarks,
  type MovedSegment,
  mostSpeakers,
  movePhotos,
  moveSegments,
  moveUsage,
  noteAfter,
  noteBefore,
  placeConversation,
  placeSegments,
  type SegmentPlace,
  segmentPlaces,
  speakersOf,
} from '../../store/corrections/index.js';
import { invalid } from '../rules/index.js';
import { moveAllFound, summariseTasks } from './found-records.js';
import { lockCompleted } from './locked-conversation.js';
import { renumbered } from './merged-speakers.js';
import type { DividedResult } from './undo-change.js';

/** Maximum number of conversations that one request merges. */
export const mergeBounds = { conversations: 10 } as const;

/**
 * Number of characters that a segment adds to the size of a conversation, in addition to its text. Streams count the
 * same number.
 */
const perSegment = 256;

interface Part {
  readonly row: DividedConversation;
  readonly segments: readonly SegmentPlace[];
}

/**
 * Returns the segments of each part with their positions in the merged conversation. Positions follow the time of the
 * segments. Segments of one part keep their order.
 */
const placed = (parts: readonly Part[]): MovedSegment[][] => {
  const all = parts.flatMap(({ row, segments }, part) => {
    let moment = Number.NEGATIVE_INFINITY;
    return segments.map(({ id, position, start }, index) => {
      moment = Math.max(moment, row.begun.getTime() + start * 1000);
      return { part, index, id, moment, before: position };
    });
  });
  all.sort((one, other) => one.moment - other.moment || one.part - other.part || one.index - other.index);
  const places: MovedSegment[][] = parts.map(() => []);
  for (const [position, { part, id }] of all.entries()) places[part]!.push({ id, position });
  return places;
};

const lockedParts = async (sql: TransactionSql, uid: string, ids: readonly string[]): Promise<Part[]> => {
  const locked = new Set<string>();
  // All requests lock in the same order, so that two merges do not wait for each other.
  for (const id of ids.toSorted()) locked.add(await lockCompleted(sql, uid, id));
  if (locked.size < 2) throw invalid('ids should name at least two conversations', 'body.ids');
  const parts: Part[] = [];
  for (const id of locked)
    parts.push({ row: await dividedConversation(sql, id), segments: await segmentPlaces(sql, id) });
  return parts.sort(
    ({ row: one }, { row: other }) =>
      one.begun.getTime() - other.begun.getTime() || (one.id < other.id ? -1 : 1),
  );
};

const checkParts = (parts: readonly Part[]): void => {
  // A conversation that was supplied as a text has no transcript. A merge would lose its text.
  if (parts.some(({ row }) => row.is_text)) throw new CochleaError('conversation_is_text');
  const { value: limit } = fixedLimits.conversationSize;
  const size = parts
    .flatMap(({ segments }) => segments)
    .reduce((sum, { text }) => sum + text.length + perSegment, 0);
  if (size > limit) throw new CochleaError('conversation_full', { limit });
};

/**
 * Merges completed conversations into the conversation that began first, with their photos, tasks and memories. The
 * merged conversation is summarised again. The other conversations are no longer listed. If words arrive for them
 * later, the merged conversation gets these words.
 * @returns the id of the merged conversation, and the id of the merge for `undoChange`. The latter is null if the merge
 * cannot be undone.
 * @throws CochleaError `validation_failed`, `conversation_not_found`, `locked`, `conversation_unfinished`,
 * `conversation_is_text`, `conversation_full`. After an error nothing has changed.
 */
export const mergeConversationsOf = async (
  sql: Sql,
  uid: string,
  ids: readonly string[],
): Promise<DividedResult> =>
  (await sql.begin(async (transaction) => {
    await lockLateWords(transaction, uid);
    const parts = await lockedParts(transaction, uid, ids);
    checkParts(parts);
    const [kept, ...others] = parts as [Part, ...Part[]];
    const { id, origin, begun } = kept.row;
    const [own, ...places] = placed(parts);
    const conversationIds = parts.map(({ row }) => row.id);
    const change = { id: randomUUID(), uid, kind: 'merge', conversationIds } as const;
    await noteBefore(transaction, change);
    const before = new Map(kept.segments.map((segment) => [segment.id, segment.position]));
    await placeSegments(
      transaction,
      id,
      own!.filter((segment) => before.get(segment.id) !== segment.position),
    );
    for (const [index, { row }] of others.entries()) {
      const seconds = (row.begun.getTime() - begun.getTime()) / 1000;
      const speakers =
        row.origin === origin
          ? []
          : renumbered(
              await speakersOf(transaction, id),
              await speakersOf(transaction, row.id),
              1 + (await mostSpeakers(transaction, id)),
            );
      await moveSegments(transaction, { from: row.id, to: id, seconds }, places[index]!, speakers);
      await movePhotos(transaction, row.id, id);
      await moveAllFound(transaction, uid, row.id, id);
      await moveUsage(transaction, row.id, id);
      await endMoved(transaction, row.id, id);
    }
    const ended = parts.reduce((last, { row }) => Math.max(last, row.ended.getTime()), 0);
    await placeConversation(transaction, id, begun.getTime(), ended);
    await keepMarks(transaction, id, {
      starred: parts.some(({ row }) => row.starred),
      folder_id: parts.find(({ row }) => row.folder_id !== null)?.row.folder_id ?? null,
    });
    await summariseTasks(transaction, uid, id);
    await transcriptCorrected(transaction, uid, id);
    return { id, undo: await noteAfter(transaction, change, { partId: null, places: [own!, ...places] }) };
  })) as DividedResult;

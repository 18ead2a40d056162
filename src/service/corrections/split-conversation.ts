import { randomUUID } from 'node:crypto';
import { firstCharacters, mapInSlices, storableText } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { storedSegments, transcriptCorrected } from '../../store/conversations/index.js';
import {
  type DividedConversation,
  dividedConversation,
  insertPart,
  movePhotos,
  moveSegments,
  noteAfter,
  noteBefore,
  placeConversation,
  type SegmentPlace,
  segmentPlaces,
} from '../../store/corrections/index.js';
import { recordStep } from '../../store/jobs/index.js';
import { emptyStructured } from '../../store/record/index.js';
import { recordSpeech } from '../../store/records/index.js';
import { onceSteps } from '../../wire/index.js';
import { conversationBounds } from '../../wire/records/index.js';
import { speechIn, timeZoneOf } from '../records/index.js';
import { invalid } from '../rules/index.js';
import { tokensOf } from '../structure/language/index.js';
import { divideFound, summariseTasks } from './found-records.js';
import { correctConversation } from './locked-conversation.js';
import type { DividedResult } from './undo-change.js';

const titleOf = ({ structured }: DividedConversation): string => {
  const title = structured?.title ?? '';
  return title === '' ? '' : firstCharacters(`Part of ${title}`, conversationBounds.title);
};

const wordsOf = async (segments: readonly SegmentPlace[]): Promise<ReadonlySet<string>> =>
  new Set((await mapInSlices(segments, ({ text }) => tokensOf(text))).flat());

const most = (numbers: readonly number[]): number =>
  numbers.reduce((found, number) => Math.max(found, number), 0);

/** Counts the speech of one part of a split conversation, and replaces the stored usage of this part. */
const countSpeech = async (
  sql: TransactionSql,
  uid: string,
  id: string,
  begun: number,
  usesCustomStt: boolean,
): Promise<void> => {
  const segments = (await storedSegments(sql, id)).map(({ segment }) => segment);
  const zone = await timeZoneOf(sql as unknown as Sql, uid);
  await recordSpeech(sql as unknown as Sql, id, uid, await speechIn(begun, segments, usesCustomStt, zone));
};

/**
 * Splits a completed conversation: a segment and all later segments become a new conversation. Photos are divided by
 * their time, tasks and memories by their words. Both parts are summarised again.
 * @returns the id of the new conversation, and the id of the split for `undoChange`. The latter is null if the split
 * cannot be undone.
 * @throws CochleaError `conversation_not_found`, `locked`, `conversation_unfinished`, `record_not_found` for the segment;
 *   `validation_failed` if no segment is before it
 */
export const splitConversation = (
  sql: Sql,
  uid: string,
  given: string,
  segmentId: string,
): Promise<DividedResult> =>
  correctConversation(sql, uid, given, async (transaction, id) => {
    const segments = await segmentPlaces(transaction, id);
    const index = segments.findIndex((segment) => segment.id === storableText(segmentId));
    if (index === -1) throw new CochleaError('record_not_found', { kind: 'Segment' });
    if (index === 0) throw invalid('the segment is the first of the conversation', 'body.segment_id');
    const [before, behind] = [segments.slice(0, index), segments.slice(index)];
    const from = await dividedConversation(transaction, id);
    const begun = from.begun.getTime();
    const seconds = behind.reduce((first, { start }) => Math.min(first, start), Number.POSITIVE_INFINITY);
    const divided = begun + seconds * 1000;
    const part = randomUUID();
    const change = { id: randomUUID(), uid, kind: 'split', conversationIds: [id] } as const;
    await noteBefore(transaction, change);
    await insertPart(transaction, part, from, divided, {
      ...emptyStructured,
      title: titleOf(from),
      emoji: from.structured?.emoji ?? emptyStructured.emoji,
      category: from.structured?.category ?? emptyStructured.category,
    });
    await moveSegments(transaction, { from: id, to: part, seconds: -seconds }, behind);
    await placeConversation(transaction, id, begun, begun + most(before.map(({ end }) => end)) * 1000);
    await movePhotos(transaction, id, part, divided);
    const [first, second] = [await wordsOf(before), await wordsOf(behind)];
    await divideFound(transaction, uid, { id, first }, { to: part, second });
    await countSpeech(transaction, uid, id, begun, from.uses_custom_stt);
    await countSpeech(transaction, uid, part, divided, from.uses_custom_stt);
    // These steps have already run for the whole conversation, for example to count goal progress. So they must not run
    // again for the new part.
    for (const step of onceSteps)
      await recordStep(transaction, uid, part, step, { generatedBy: null, error: null });
    for (const one of [id, part]) {
      await summariseTasks(transaction, uid, one);
      await transcriptCorrected(transaction, uid, one);
    }
    return { id: part, undo: await noteAfter(transaction, change, { partId: part, places: [] }) };
  });

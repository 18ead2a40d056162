import { z } from 'zod';
import { storableText } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import { transcriptCorrected } from '../../store/conversations/index.js';
import {
  charactersOf,
  correctText,
  lockSegment,
  type ShownSegment,
  segmentPage,
  segmentsById,
} from '../../store/corrections/index.js';
import { cursorsOf, type Paged, type PageRequest, plainText, requiredText } from '../rules/index.js';
import { correctConversation } from './locked-conversation.js';

/** Limits of a corrected transcript. `text` is in code points, `page` in segments. */
export const correctionBounds = { text: 20_000, page: 200 } as const;

const cursors = cursorsOf('segments', z.tuple([z.string().regex(/^-?\d{1,20}(\.\d{1,20})?$/), plainText]));

/**
 * Returns a page of a conversation's transcript, in order, with the revision of each segment.
 * @throws CochleaError `conversation_not_found`, also for a locked conversation; `validation_failed` for an invalid cursor
 */
export const listSegments = async (
  sql: Sql,
  uid: string,
  id: string,
  query: PageRequest,
): Promise<Paged<ShownSegment>> => {
  const { after, limit } = cursors.page(query);
  const listed = await segmentPage(sql, uid, id, { after: after ?? null, limit });
  if (listed === null) throw new CochleaError('conversation_not_found');
  return cursors.paged(listed, (row) => row);
};

/**
 * Changes the text of a segment. Automatic writes do not replace the new text. The search finds the new text at once.
 * The conversation is summarised again.
 * @param revision the segment's revision at the time when the user read the segment.
 * @throws CochleaError `validation_failed`, `conversation_not_found`, `locked`, `conversation_unfinished`,
 * `record_not_found` for the segment, `segment_changed`, `conversation_full`
 */
export const changeSegment = async (
  sql: Sql,
  uid: string,
  { id: given, segmentId: givenSegment, text: givenText, revision }: ChangedSegment,
): Promise<ShownSegment> => {
  const text = requiredText('text', givenText, correctionBounds.text);
  const segmentId = storableText(givenSegment);
  const id = await correctConversation(sql, uid, given, async (transaction, id) => {
    const segment = await lockSegment(transaction, id, segmentId);
    if (segment === null) throw new CochleaError('record_not_found', { kind: 'Segment' });
    if (segment.revision !== revision) throw new CochleaError('segment_changed');
    if (segment.text === text) return id;
    await correctText(transaction, id, segmentId, text);
    const { value: limit } = fixedLimits.conversationSize;
    if ((await charactersOf(transaction, id)) > limit) throw new CochleaError('conversation_full', { limit });
    await transcriptCorrected(transaction, uid, id);
    return id;
  });
  const [changed] = await segmentsById(sql, id, [segmentId]);
  if (changed === undefined) throw new CochleaError('record_not_found', { kind: 'Segment' });
  return changed;
};

/** A request to change a segment's text. */
export interface ChangedSegment {
  /** Id of the conversation. */
  readonly id: string;
  readonly segmentId: string;
  readonly text: string;
  readonly revision: number;
}

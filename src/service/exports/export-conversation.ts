import { validate as isUuid } from 'uuid';
import { finishInSlices } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql } from '../../store/client/index.js';
import { beginConversation, type ConversationPiece } from '../../store/pieces/index.js';
import {
  type ExportedConversation,
  type ExportedSegment,
  type ExportFormat,
  exportName,
  exportTypes,
  type TranscriptWriter,
  transcriptWriter,
} from '../../wire/exports/index.js';
import { partsBehind, segmentPieces } from '../parts/index.js';

/** A file that is produced while it is read. If producing it fails, the read ends with an error. */
export interface ExportedFile {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly parts: AsyncIterable<Buffer>;
}

/**
 * Returns the segments as text. Yields after each segment, so that the thread can do other work before the next one.
 */
function* written(
  writer: TranscriptWriter,
  segments: readonly ExportedSegment[],
): Generator<void, string, undefined> {
  const texts: string[] = [];
  for (const segment of segments) {
    texts.push(writer.segment(segment));
    yield;
  }
  return texts.join('');
}

async function* textParts(
  sql: Sql,
  uid: string,
  id: string,
  first: ConversationPiece,
  head: ExportedConversation,
  writer: TranscriptWriter,
): AsyncGenerator<Buffer, void, undefined> {
  const begun = writer.head(head);
  if (begun !== '') yield Buffer.from(begun);
  for await (const said of segmentPieces(sql, uid, id, first)) {
    const segments = JSON.parse(`[${said.toString()}]`) as ExportedSegment[];
    const text = await finishInSlices(written(writer, segments));
    if (text !== '') yield Buffer.from(text);
  }
}

/**
 * Returns a conversation of a user as a file. Its transcript is read and written in pieces.
 * @throws CochleaError `conversation_not_found`, also for a locked conversation. Reading `parts` throws
 * `answer_outdated` if the conversation was removed meanwhile.
 */
export const exportConversation = async (
  sql: Sql,
  uid: string,
  id: string,
  format: ExportFormat,
): Promise<ExportedFile> => {
  const first = isUuid(id) ? await beginConversation(sql, uid, id, true) : null;
  if (first === null) throw new CochleaError('conversation_not_found');
  const head = {
    ...JSON.parse(first.before.toString()),
    ...JSON.parse(first.behind.toString()),
  } as ExportedConversation;
  const parts =
    format === 'json'
      ? partsBehind(sql, uid, id, first)
      : textParts(sql, uid, id, first, head, transcriptWriter(format));
  return { name: exportName(head, format), type: exportTypes[format], parts };
};

import type { Sql } from '../../store/client/index.js';
import { readConversationDocument } from '../../store/conversations/index.js';
import { beginConversation, type ConversationPiece, goOnConversation } from '../../store/pieces/index.js';
import { type JsonParts, outdated } from './json-parts.js';

const comma = Buffer.from(',');

/**
 * Yields the segments of a conversation as JSON texts separated by commas. Begins with `first`, which the caller has
 * already read from the database.
 * @throws CochleaError answer_outdated if the conversation was removed meanwhile, or its start has changed.
 */
export async function* segmentPieces(
  sql: Sql,
  uid: string,
  id: string,
  first: ConversationPiece,
): AsyncGenerator<Buffer, void, undefined> {
  yield first.said;
  for (let { last } = first; last !== null; ) {
    const piece = await goOnConversation(sql, uid, id, last, first.started);
    if (piece === null) throw outdated();
    if (piece.said.length > 0) yield piece.said;
    last = piece.last;
  }
}

/** Yields a conversation as JSON text in parts. The caller has already read `first` from the database. */
export async function* partsBehind(sql: Sql, uid: string, id: string, first: ConversationPiece): JsonParts {
  const head = [first.before.subarray(0, -1), Buffer.from(', "transcript_segments" : [')];
  let before: readonly Buffer[] = head;
  for await (const said of segmentPieces(sql, uid, id, first)) {
    yield Buffer.concat([...before, said]);
    before = [comma];
  }
  yield Buffer.concat([Buffer.from('], '), first.behind.subarray(1)]);
}

/**
 * Returns a conversation with its transcript, in parts. Reads each part only when it is requested, so later parts
 * show later changes of segments.
 * @param tasks `false` empties the list of tasks.
 * @returns null if the conversation is unknown, deleted or locked.
 */
export const conversationParts = async (
  sql: Sql,
  uid: string,
  id: string,
  tasks: boolean,
): Promise<JsonParts | null> => {
  const first = await beginConversation(sql, uid, id, tasks);
  return first && partsBehind(sql, uid, id, first);
};

/**
 * Yields an array of conversations in parts: first the conversations in `read`, then the conversations whose ids are in
 * `rest`. Reads each conversation of `rest` when its part is requested.
 * @param read an array as JSON text.
 */
export async function* listParts(
  sql: Sql,
  uid: string,
  read: Buffer,
  rest: readonly string[],
  { transcript, tasks }: { readonly transcript: boolean; readonly tasks: boolean },
): JsonParts {
  const begun = read.subarray(0, -1);
  yield begun;
  for (const [index, id] of rest.entries()) {
    const before = index > 0 || begun.length > 1 ? comma : Buffer.alloc(0);
    if (!transcript) {
      const document = await readConversationDocument(sql, uid, id, false, tasks);
      if (document === null) throw outdated();
      yield Buffer.concat([before, document]);
      continue;
    }
    const parts = await conversationParts(sql, uid, id, tasks);
    if (parts === null) throw outdated();
    let first = true;
    for await (const part of parts) {
      yield first ? Buffer.concat([before, part]) : part;
      first = false;
    }
  }
  yield Buffer.from(']');
}

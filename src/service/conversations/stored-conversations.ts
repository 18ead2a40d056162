import { z } from 'zod';
import { storableText } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Period, Sql, TransactionSql } from '../../store/client/index.js';
import {
  type ConversationDocument,
  type ConversationFilter,
  changeConversation,
  conversationDocumentsById,
  conversationListing,
  conversationReading,
  type ListedDocument,
  listConversationDocuments,
  listedConversations,
  lockConversation,
  readConversationDocument,
  removeConversation,
} from '../../store/conversations/index.js';
import { holdFolder } from '../../store/records/index.js';
import { type ChangeOf, changesOf, conversationRecord } from '../../wire/records/index.js';
import { conversationParts, type JsonDocument, listParts } from '../parts/index.js';
import { valuesOf } from '../records/index.js';
import {
  type AdmittedWork,
  cursorsOf,
  type PageRequest,
  requireSome,
  type SearchPage,
  type SearchQuery,
  searchPage,
  time,
  uuid,
} from '../rules/index.js';
import type { Search } from '../search/index.js';

const values = valuesOf(conversationRecord);
const cursors = cursorsOf('conversations', z.tuple([time, uuid]));

export interface ConversationQuery extends PageRequest, Period {
  /**
   * Only conversations with one of these categories are listed; any text is allowed. Absent or empty: all
   * conversations.
   */
  readonly categories?: readonly string[] | undefined;
  readonly folderId?: string | undefined;
  readonly starred?: boolean | undefined;
  /** Id of a person who speaks in the conversation; `me` for the user. */
  readonly speaker?: string | undefined;
  readonly transcript: boolean;
  /** Whether tasks are included. False for a credential without the right to read tasks. */
  readonly tasks?: boolean | undefined;
}

/** A page of conversations. */
export interface ConversationPage {
  /** The conversations as a JSON array. */
  readonly document: JsonDocument;
  /** Number of conversations on the page. */
  readonly count: number;
  /** Cursor of the next page; null at the end of the list. */
  readonly next: string | null;
}

/**
 * Converts a query to a filter. Names every field instead of spreading the query: in Node 20, properties after a
 * spread create a new hidden class on every request.
 * @throws CochleaError `validation_failed` for an invalid cursor.
 */
const filterOf = (query: ConversationQuery): ConversationFilter => {
  const { limit, offset, after } = cursors.page(query);
  const { from, to, folderId, starred, transcript, tasks = true } = query;
  const speaker = query.speaker && storableText(query.speaker);
  const categories = query.categories?.map(storableText);
  return { limit, offset, after, from, to, categories, folderId, starred, speaker, transcript, tasks };
};

const pageOf = ({ count, next }: ListedDocument, document: JsonDocument): ConversationPage => ({
  document,
  count,
  next: cursors.encode(next),
});

/**
 * Returns a page of a user's completed conversations, newest first, with names of folders and speakers. Discarded and
 * locked conversations are left out before paging, so only the last page is short. The database makes the JSON text,
 * which is most of the work. Parsing the text here would double the work.
 * @throws CochleaError `validation_failed` for an invalid cursor.
 */
export const listConversationsOf = async (
  sql: Sql,
  uid: string,
  query: ConversationQuery,
): Promise<ConversationPage> => {
  const filter = filterOf(query);
  const listed = await listConversationDocuments(sql, uid, filter);
  const { document, rest } = listed;
  if (rest.length === 0) return pageOf(listed, document);
  return pageOf(listed, listParts(sql, uid, document, rest, filter));
};

/**
 * Does the work of `listConversationsOf` inside the SQL statement that checks a request's key. Includes tasks if the
 * request's key may read tasks. Returns null if the statement could take long for this page. If the page turns out to
 * be too long for the statement, `result` returns null.
 * @throws CochleaError `validation_failed` for an invalid cursor.
 */
export const conversationsWork = (query: ConversationQuery): AdmittedWork<ConversationPage> | null => {
  const work = conversationListing(filterOf(query));
  const result = (done: Buffer | null): ConversationPage | null => {
    // For a refused request, `done` is null, and this function is not called.
    const listed = listedConversations(done!);
    return listed && pageOf(listed, listed.document);
  };
  return work && { work, result };
};

/**
 * Returns the finished conversations that match a query, without transcripts. Leaves out discarded and locked conversations.
 * @param tasks whether tasks are included, as in `getConversation`.
 */
export const searchConversations = async (
  search: Search,
  sql: Sql,
  uid: string,
  query: SearchQuery,
  tasks: boolean,
): Promise<SearchPage<ConversationDocument['document']>> => {
  const read = (ids: readonly string[]) => conversationDocumentsById(sql, uid, ids, tasks);
  return searchPage(await search.find({ ...query, uid, kind: 'conversation', read }), (row) => row.document);
};

const notFound = (): CochleaError => new CochleaError('conversation_not_found');

/**
 * Returns one of a user's conversations, in any status, as JSON text with the names of its folder and speakers.
 * @param tasks whether tasks are included; false for a credential without the right to read tasks.
 * @throws CochleaError `conversation_not_found`, also for a locked conversation.
 */
export const getConversation = async (
  sql: Sql,
  uid: string,
  id: string,
  transcript: boolean,
  tasks = true,
): Promise<JsonDocument> => {
  const document = await readConversationDocument(sql, uid, id, transcript, tasks);
  if (document === null) throw notFound();
  return document.length > 0 ? document : longConversation(sql, uid, id, tasks);
};

/**
 * Does the work of `getConversation` for a conversation that is too long for one read.
 * @throws CochleaError `conversation_not_found`
 */
const longConversation = async (sql: Sql, uid: string, id: string, tasks: boolean): Promise<JsonDocument> => {
  const parts = await conversationParts(sql, uid, id, tasks);
  if (parts === null) throw notFound();
  return parts;
};

/**
 * Does the work of `getConversation` inside the SQL statement that checks a request's key. Includes tasks if the
 * request's key may read tasks. Returns null for an id that cannot exist. `result` returns null if the conversation
 * is too long for the statement.
 */
export const conversationWork = (id: string, transcript: boolean): AdmittedWork<Buffer> | null => {
  const work = conversationReading(id, transcript);
  const result = (done: Buffer | null): Buffer | null => {
    if (done === null) throw notFound();
    return done.length > 0 ? done : null;
  };
  return work && { work, result };
};

const lockedForChange = async (sql: TransactionSql, uid: string, id: string): Promise<void> => {
  const row = await lockConversation(sql, uid, id);
  if (!row) throw notFound();
  if (row.is_locked) throw new CochleaError('locked', { kind: 'conversation' });
};

/**
 * Applies a user's changes to a conversation. The answer includes the transcript, because deployed clients expect it.
 * @param parts whether the answer has the transcript and tasks. A credential may lack the right to read them.
 * @throws CochleaError `validation_failed`, `conversation_not_found`, `record_not_found` for the folder, `locked`
 */
export const updateConversation = async (
  sql: Sql,
  uid: string,
  id: string,
  patch: ChangeOf<typeof conversationRecord>,
  parts: { readonly transcript: boolean; readonly tasks: boolean } = { transcript: true, tasks: true },
): Promise<JsonDocument> => {
  requireSome(patch, changesOf(conversationRecord));
  const changes = values.changed(patch);
  await sql.begin(async (transaction) => {
    await lockedForChange(transaction, uid, id);
    const { folder_id: folder } = patch;
    if (folder && !(await holdFolder(transaction, uid, folder))) {
      throw new CochleaError('record_not_found', { kind: 'Folder' });
    }
    await changeConversation(transaction, id, changes);
  });
  return getConversation(sql, uid, id, parts.transcript, parts.tasks);
};

/**
 * Deletes a conversation and its transcript. A later creation with the same client session is answered with `deleted` and creates nothing.
 * @throws CochleaError `conversation_not_found`, `locked`
 */
export const deleteConversation = async (sql: Sql, uid: string, id: string): Promise<void> => {
  await sql.begin(async (transaction) => {
    await lockedForChange(transaction, uid, id);
    await removeConversation(transaction, id);
  });
};

import { z } from 'zod';
import { storableText } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
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

export interface ConversationQuery extends PageRequest {
  /** Inclusive bounds on the time of the conversation. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Of which one has to match; any text may be a category. */
  readonly categories?: readonly string[] | undefined;
  readonly folderId?: string | undefined;
  readonly starred?: boolean | undefined;
  readonly transcript: boolean;
  /** Whether conversations have their tasks; false for a credential that may not read tasks. */
  readonly tasks?: boolean | undefined;
}

/** A part of a list of conversations. */
export interface ConversationPage {
  /** JSON text, an array. */
  readonly document: JsonDocument;
  /** Conversations of the part. */
  readonly count: number;
  /** Cursor of the next part; null at the end of the list. */
  readonly next: string | null;
}

/**
 * Names every field, because what is added behind a spread (Node 20) gets a hidden class of its own, in each request anew.
 * @throws CochleaError `validation_failed` for a cursor that is not valid.
 */
const filterOf = (query: ConversationQuery): ConversationFilter => {
  const { limit, offset, after } = cursors.page(query);
  const { from, to, folderId, starred, transcript, tasks = true } = query;
  const categories = query.categories?.map(storableText);
  return { limit, offset, after, from, to, categories, folderId, starred, transcript, tasks };
};

const pageOf = ({ count, next }: ListedDocument, document: JsonDocument): ConversationPage => ({
  document,
  count,
  next: cursors.encode(next),
});

/**
 * A part of a user's completed conversations, newest first, with the names of folders and speakers. Discarded and locked ones are
 * left out before a part is made, so only the last part is short. The database makes the JSON text: of a page it is the largest
 * part of the work, and parsing what is only passed on would double it.
 * @throws CochleaError `validation_failed` for a cursor that is not valid.
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
 * `listConversationsOf` as work of the statement that admits a request, with tasks where its key may read them; null for a part that may
 * take long. The result is null where the part is too long for it.
 * @throws CochleaError `validation_failed` for a cursor that is not valid.
 */
export const conversationsWork = (query: ConversationQuery): AdmittedWork<ConversationPage> | null => {
  const work = conversationListing(filterOf(query));
  const result = (done: Buffer | null): ConversationPage | null => {
    // Without a document the request was refused.
    const listed = listedConversations(done!);
    return listed && pageOf(listed, listed.document);
  };
  return work && { work, result };
};

/** The finished conversations that answer a query, without those that are discarded or locked, and without transcripts. @param tasks as for `getConversation` */
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
 * One of a user's conversations, in any status, as JSON text, with the names of folder and speakers.
 * @param tasks whether it has its tasks; false for a credential that may not read tasks.
 * @throws CochleaError `conversation_not_found`, also for a locked one.
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
 * `getConversation` of a conversation that is too long to be read at once.
 * @throws CochleaError `conversation_not_found`
 */
const longConversation = async (sql: Sql, uid: string, id: string, tasks: boolean): Promise<JsonDocument> => {
  const parts = await conversationParts(sql, uid, id, tasks);
  if (parts === null) throw notFound();
  return parts;
};

/**
 * `getConversation` as work of the statement that admits a request, with tasks where its key may read them; null for an id that names
 * none. The result is null where the conversation is too long for it.
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
 * Changes what a user decides about a conversation; with the transcript, as deployed clients expect of a change.
 * @param parts of the answer: a credential that may not read them gets neither transcript nor tasks.
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
 * Deletes a conversation with everything that was said. A repeated request of its client session is answered `deleted` and
 * makes nothing.
 * @throws CochleaError `conversation_not_found`, `locked`
 */
export const deleteConversation = async (sql: Sql, uid: string, id: string): Promise<void> => {
  await sql.begin(async (transaction) => {
    await lockedForChange(transaction, uid, id);
    await removeConversation(transaction, id);
  });
};

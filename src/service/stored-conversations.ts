import { z } from 'zod';
import { CochleaError } from '../errors/index.js';
import type { ConversationRecord } from '../store/conversation-record.js';
import {
  type ConversationChanges,
  changeConversation,
  listConversations,
  lockConversation,
  readConversation,
  removeConversation,
} from '../store/conversations.js';
import type { Sql, TransactionSql } from '../store/database.js';
import { folderNames, lockFolder } from '../store/folders.js';
import { peopleById } from '../store/people.js';
import { findUser } from '../store/users.js';
import type { LiveSegment } from '../wire/segment.js';
import { storableText } from '../wire/text.js';
import { cursorsOf, type Paged, type PageRequest, time, uuid } from './paging.js';
import { requiredText, requireSome } from './rules.js';

/** Bounds of lists and changes; the length in code points. */
export const conversationBounds = { title: 500, page: 100, pageWithTranscript: 25 } as const;

/** A segment with the name of its speaker. */
export interface NamedSegment extends LiveSegment {
  readonly speaker_name: string;
}

/** A conversation with the names of its speakers and of its folder. */
export interface NamedConversation extends Omit<ConversationRecord, 'transcript_segments'> {
  readonly transcript_segments: readonly NamedSegment[] | null;
  readonly folder_name: string | null;
}

const cursors = cursorsOf('conversations', z.tuple([time, uuid]));

const isText = (value: string | null): value is string => value !== null;

/** Adds names: the user's own, those of people the user knows, and a number for everyone else. */
const named = async (
  sql: Sql,
  uid: string,
  records: readonly ConversationRecord[],
): Promise<NamedConversation[]> => {
  const segments = records.flatMap(({ transcript_segments }) => transcript_segments ?? []);
  const personIds = new Set(segments.map(({ person_id }) => person_id).filter(isText));
  const folderIds = new Set(records.map(({ folder_id }) => folder_id).filter(isText));
  const [folders, people, user] = await Promise.all([
    folderNames(sql, uid, [...folderIds]),
    peopleById(sql, uid, [...personIds]),
    segments.some(({ is_user }) => is_user) ? findUser(sql, uid) : null,
  ]);
  const personNames = new Map(people.map(({ id, name }) => [id, name]));
  const speakerName = ({ is_user, person_id, speaker_id }: LiveSegment): string => {
    if (is_user) return user?.name ?? 'User';
    return (
      (person_id === null ? undefined : personNames.get(person_id.toLowerCase())) ?? `Speaker ${speaker_id}`
    );
  };
  return records.map((record) => ({
    ...record,
    folder_name: (record.folder_id && folders.get(record.folder_id)) || null,
    transcript_segments:
      record.transcript_segments?.map((segment) => ({ ...segment, speaker_name: speakerName(segment) })) ??
      null,
  }));
};

export interface ConversationQuery extends PageRequest {
  /** Inclusive bounds on the time of the conversation. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Of which one has to match; any text may be a category. */
  readonly categories?: readonly string[] | undefined;
  readonly folderId?: string | undefined;
  readonly starred?: boolean | undefined;
  readonly transcript: boolean;
}

/**
 * A part of a user's completed conversations, newest first. Discarded and locked ones are left out before a part is made, so
 * only the last part is short.
 * @throws CochleaError `validation_failed` for a cursor that is not valid.
 */
export const listConversationsOf = async (
  sql: Sql,
  uid: string,
  query: ConversationQuery,
): Promise<Paged<NamedConversation>> => {
  const { from, to, folderId, starred, transcript } = query;
  const categories = query.categories?.map(storableText);
  const filter = { ...cursors.page(query), from, to, categories, folderId, starred, transcript };
  const { items, next } = cursors.paged(await listConversations(sql, uid, filter), (record) => record);
  return { items: await named(sql, uid, items), next };
};

const notFound = (): CochleaError => new CochleaError('conversation_not_found');

/** One of a user's conversations, in any status. @throws CochleaError `conversation_not_found`, also for a locked one. */
export const getConversation = async (
  sql: Sql,
  uid: string,
  id: string,
  transcript: boolean,
): Promise<NamedConversation> => {
  const found = await readConversation(sql, id, { uid, transcript });
  if (!found || found.is_locked) throw notFound();
  return (await named(sql, uid, [found]))[0]!;
};

const lockedForChange = async (sql: TransactionSql, uid: string, id: string): Promise<void> => {
  const row = await lockConversation(sql, uid, id);
  if (!row) throw notFound();
  if (row.is_locked) throw new CochleaError('locked', { kind: 'conversation' });
};

/**
 * Changes what a user decides about a conversation; with the transcript, as deployed clients expect of a change.
 * @throws CochleaError `validation_failed`, `conversation_not_found`, `record_not_found` for the folder, `locked`
 */
export const updateConversation = async (
  sql: Sql,
  uid: string,
  id: string,
  patch: ConversationChanges,
): Promise<NamedConversation> => {
  requireSome(patch, 'title, discarded, starred, or folder_id');
  const title =
    patch.title === undefined ? undefined : requiredText('title', patch.title, conversationBounds.title);
  await sql.begin(async (transaction) => {
    await lockedForChange(transaction, uid, id);
    const { folderId } = patch;
    if (folderId && !(await lockFolder(transaction, uid, folderId, 'use'))) {
      throw new CochleaError('record_not_found', { kind: 'Folder' });
    }
    await changeConversation(transaction, id, { ...patch, title });
  });
  return getConversation(sql, uid, id, true);
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

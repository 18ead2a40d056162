import { validate as isUuid } from 'uuid';
import type { LiveSegment } from '../../wire/index.js';
import type { Sql } from '../client/index.js';
import type { ConversationRow, Structured } from '../record/index.js';
import { type TranscriptEnds, transcriptOf } from '../segments/index.js';

const columns =
  'id, uid, language, status, source, revision, discarded, is_locked, created_at, started_at, folder_id, generated_by, structured, external_data';

/** Fields of a conversation that its processing steps read. */
export interface ConversationContent extends ConversationRow<typeof columns> {
  readonly structured: Structured | null;
  /** Present when a request supplied a text instead of segments. */
  readonly external_data: { readonly text?: unknown } | null;
  /** The transcript. A long transcript is reduced to its beginning and end. */
  readonly segments: readonly LiveSegment[];
}

/**
 * Reads a conversation with its transcript. A long transcript is reduced to its beginning and end. Null when the
 * conversation is unknown or deleted.
 */
export const readContent = async (
  sql: Sql,
  id: string,
  ends: TranscriptEnds,
): Promise<ConversationContent | null> => {
  if (!isUuid(id)) return null;
  const [row] = await sql<Omit<ConversationContent, 'segments'>[]>`
    select ${sql.unsafe(columns)} from conversations where id = ${id} and deleted_at is null`;
  if (!row) return null;
  return { ...row, segments: await transcriptOf(sql, id, ends) };
};

/** Reads the texts of conversations that were supplied as one text and have no segments. Keys are conversation ids. */
export const suppliedTexts = async (sql: Sql, ids: readonly string[]): Promise<Map<string, string>> => {
  const rows = await sql<{ id: string; text: string }[]>`
    select id, external_data->>'text' as text from conversations c
    where id = any(${ids as string[]}::uuid[]) and jsonb_typeof(external_data->'text') = 'string'
      and not exists (select from segments s where s.conversation_id = c.id and not s.deleted)`;
  return new Map(rows.map(({ id, text }) => [id, text]));
};

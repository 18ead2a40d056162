import { type Position, preparedRaw, type Sql } from '../client/index.js';
import { conversationJson, piece } from '../pieces/index.js';
import { exactMoment, isOversized } from './documents.js';

/** Maximum number of conversations that one statement reads. */
const mostRead = 100;

/** The position before every conversation. */
const beginning: Position = ['0001-01-01T00:00:00.000000Z', '00000000-0000-0000-0000-000000000000'];

/** A conversation with its transcript, as JSON text in UTF-8. */
export interface ExportedDocument {
  readonly id: string;
  readonly position: Position;
  /** null if the transcript is too long for one statement. */
  readonly document: Buffer | null;
}

/**
 * SQL that builds the JSON of conversations one by one, until it exceeds `piece.bytes`. The last conversation may
 * exceed this size. A conversation with a long transcript gets a null document.
 */
const text = `
  with recursive c as materialized (
    select *, row_number() over () as n from (
      select * from conversations
      where uid = $1 and deleted_at is null and not is_locked
        and (created_at, id) > ($2::text::timestamptz, $3::uuid)
      order by created_at, id limit ${mostRead}) as part),
  made (n, document, bytes) as (
    select 0::bigint, null::text, 0::bigint
    union all
    select c.n, built.document, made.bytes + coalesce(octet_length(built.document), ${piece.bytes + 1})
    from made join c on c.n = made.n + 1
      cross join lateral (select case when not ${isOversized} then (${conversationJson.shown.with})::text end as document offset 0) as built
    where made.bytes <= ${piece.bytes})
  select c.id, ${exactMoment('c.created_at')}, made.document from made join c using (n) order by n`;

/**
 * Reads the next conversations of a user in any status, oldest first, with their transcripts: as many as fit into a
 * piece, at least one. Leaves out deleted and locked conversations.
 * @param after position of the last conversation that was read before; null for the beginning.
 * @returns no conversation at the end of the list.
 */
export const exportedDocuments = async (
  sql: Sql,
  uid: string,
  after: Position | null,
): Promise<ExportedDocument[]> => {
  const rows = await preparedRaw(sql, text, [uid, ...(after ?? beginning)]);
  return rows.map(([id, created, document]) => ({
    id: id!.toString(),
    position: [created!.toString(), id!.toString()],
    document: document ?? null,
  }));
};

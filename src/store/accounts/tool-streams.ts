import type { Sql } from '../client/index.js';

/** Notification channel for messages that wait for a sidecar's streams. A notification is the id of the sidecar. */
export const toolStreamChannel = 'tool_stream_messages';

/** A message for a stream of another sidecar. The receiving sidecar has already checked its credential. */
export interface StreamMessage {
  readonly stream: string;
  /** Scopes of the message's credential. */
  readonly scopes: readonly string[];
  /** Protocol revision that the client sent with the message; null when it sent none. */
  readonly revision: string | null;
  /** The message as JSON text. */
  readonly message: string;
}

/** Records that a sidecar serves a stream of a user. @param id an unguessable id of the stream */
export const recordToolStream = async (
  sql: Sql,
  { id, uid, sidecar }: { readonly id: string; readonly uid: string; readonly sidecar: string },
): Promise<void> => {
  await sql`insert into tool_streams (id, uid, sidecar) values (${id}, ${uid}, ${sidecar})`;
};

/** Removes streams that have ended, and their waiting messages. */
export const removeToolStreams = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  await sql`delete from tool_streams where id = any(${ids as string[]}::text[])`;
};

/**
 * Renews the streams of a sidecar, and removes streams of other sidecars that were not renewed within `lease`.
 * @param lease ms for which a renewal is valid.
 * @returns ids of the sidecar's stored streams. If a stream is missing, its account was deleted or its lease has
 *   expired.
 */
export const renewToolStreams = async (
  sql: Sql,
  sidecar: string,
  lease: number,
): Promise<ReadonlySet<string>> => {
  await sql`
    delete from tool_streams where id in (
      select id from tool_streams where sidecar <> ${sidecar} and seen_at < now() - make_interval(secs => ${lease / 1000})
      limit 1000)`;
  const rows = await sql<{ id: string }[]>`
    update tool_streams set seen_at = now() where sidecar = ${sidecar} returning id`;
  return new Set(rows.map(({ id }) => id));
};

/** Outcome of sending a message to a stream. */
export type Sent = 'sent' | 'unknown' | 'full';

/**
 * Stores a message for the sidecar that serves a stream, and notifies that sidecar.
 * @param most maximum number of messages that wait for one stream. Returns `full` if this number already waits.
 * @param lease ms for which a renewal is valid. Returns `unknown` for a stream without a valid renewal, and for a
 *   stream of another user.
 */
export const sendToToolStream = async (
  sql: Sql,
  uid: string,
  { stream, scopes, revision, message }: StreamMessage,
  most: number,
  lease: number,
): Promise<Sent> => {
  const [row] = await sql<{ known: boolean; sent: boolean }[]>`
    with target as (
      select id, sidecar from tool_streams
      where id = ${stream} and uid = ${uid} and seen_at > now() - make_interval(secs => ${lease / 1000})
    ), stored as (
      insert into tool_stream_messages (stream, scopes, revision, message)
      select id, ${scopes as string[]}::text[], ${revision}, ${message} from target
      where (select count(*) from tool_stream_messages where stream = ${stream}) < ${most}
      returning id
    ), told as (
      select pg_notify(${toolStreamChannel}, sidecar) from target where exists (select from stored)
    )
    select exists (select from target) as known, (select count(*) from told) > 0 as sent`;
  if (!row!.known) return 'unknown';
  return row!.sent ? 'sent' : 'full';
};

/** Selects the messages that a sidecar takes. */
export interface TakenMessages {
  /** Maximum number of messages in all. `ofUser` is the maximum for one user. */
  readonly most: number;
  readonly ofUser: number;
  /** Users whose messages are not taken. */
  readonly except: readonly string[];
}

/** Takes waiting messages for a sidecar's streams, oldest first. Messages of one user do not block messages of other users. */
export const takeToolStreamMessages = async (
  sql: Sql,
  sidecar: string,
  { most, ofUser, except }: TakenMessages,
): Promise<StreamMessage[]> => {
  const rows = await sql<(StreamMessage & { position: number })[]>`
    delete from tool_stream_messages where id in (
      select id from (
        select m.id, m.position, row_number() over (partition by s.uid order by m.position) as place
        from tool_stream_messages m join tool_streams s on s.id = m.stream
        where s.sidecar = ${sidecar} and s.uid <> all(${except as string[]}::text[])) waiting
      where place <= ${ofUser} order by position limit ${most})
    returning position, stream, scopes, revision, message`;
  return [...rows].sort((one, other) => one.position - other.position);
};

import type { Sql } from '../client/index.js';

/** Where sidecars are told that messages wait for streams they keep; a notification is the id of the sidecar. */
export const toolStreamChannel = 'tool_stream_messages';

/** A message for a stream that another sidecar keeps. Its credential is checked. */
export interface StreamMessage {
  readonly stream: string;
  /** What the credential of the message allows. */
  readonly scopes: readonly string[];
  /** Revision that the client names with it; null where it names none. */
  readonly revision: string | null;
  /** JSON text. */
  readonly message: string;
}

/** Stores that a sidecar keeps a stream of a user. @param id unguessable */
export const recordToolStream = async (
  sql: Sql,
  { id, uid, sidecar }: { readonly id: string; readonly uid: string; readonly sidecar: string },
): Promise<void> => {
  await sql`insert into tool_streams (id, uid, sidecar) values (${id}, ${uid}, ${sidecar})`;
};

/** Removes streams that have ended, with the messages that wait for them. */
export const removeToolStreams = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  await sql`delete from tool_streams where id = any(${ids as string[]}::text[])`;
};

/**
 * Says that a sidecar still keeps its streams, and removes streams of sidecars that have not said so for some time.
 * @param lease ms
 * @returns those of its streams that are stored. One that is not stored belongs to a deleted account, or was taken for lost.
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

/** What became of a message for a stream. */
export type Sent = 'sent' | 'unknown' | 'full';

/**
 * Stores a message for the sidecar that keeps a stream, and tells that sidecar.
 * @param most messages that wait for one stream; one more is `full`.
 * @param lease ms in which a sidecar that lives has said that it keeps the stream; else the stream is `unknown`, as one of another user.
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

/** Which messages a sidecar takes. */
export interface TakenMessages {
  /** Messages in all, and of one user. */
  readonly most: number;
  readonly ofUser: number;
  /** Users whose messages stay. */
  readonly except: readonly string[];
}

/** Takes messages for streams that a sidecar keeps, the oldest first; those of a user do not keep others from being taken. */
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

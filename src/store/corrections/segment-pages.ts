import { validate as isUuid } from 'uuid';
import type { Listed, Position, Sql } from '../client/index.js';
import { speakerNames } from '../pieces/index.js';
import { jsonRows } from '../segments/index.js';

/** A segment as shown to the user, who can correct it. Times are seconds from the start of the conversation. */
export interface ShownSegment {
  readonly id: string;
  readonly text: string;
  readonly speaker_id: number;
  readonly speaker_name: string;
  readonly is_user: boolean;
  readonly person_id: string | null;
  readonly start: number;
  readonly end: number;
  /** Revision of the segment, which a request to change it must name. */
  readonly revision: number;
  /** Whether the user has corrected the text or the speaker. */
  readonly by_user: boolean;
}

interface ReadSegment extends ShownSegment {
  readonly position: string;
}

/** Maximum number of bytes of the texts in a page. The last text may exceed this limit. */
const pageBytes = 1_048_576;

/** Approximate number of bytes of a segment without its text. */
const beside = 300;

const columns = `s.id, s.text, s.speaker_id, ${speakerNames.column} as speaker_name, s.is_user, s.person_id,
  s.start_seconds as start, s.end_seconds as end, s.revision, s.by_user`;

/** Checks whether a user can read a conversation. */
export const isReadable = async (sql: Sql, uid: string, id: string): Promise<boolean> => {
  if (!isUuid(id)) return false;
  const found = await sql`
    select 1 as found from conversations where id = ${id} and uid = ${uid} and deleted_at is null and not is_locked`;
  return found.length > 0;
};

/**
 * Reads a page of a conversation's segments, in order. A page ends early if its texts are long.
 * @param after position and id of the last segment of the page before; null for the first page.
 * @returns null when the conversation is unknown, deleted or locked.
 */
export const segmentPage = async (
  sql: Sql,
  uid: string,
  id: string,
  { after, limit }: { readonly after: Position | null; readonly limit: number },
): Promise<Listed<ShownSegment> | null> => {
  if (!(await isReadable(sql, uid, id))) return null;
  const [position, segment] = after ?? ['-Infinity', ''];
  const read = await jsonRows<ReadSegment>(sql)`
    select ${sql.unsafe(columns)}, s.position::text as position from (
      select measured.*, sum(bytes) over (order by position, id rows unbounded preceding) - bytes as begins from (
        select *, octet_length(text) + ${sql.unsafe(String(beside))} as bytes from segments
        where conversation_id = ${id} and not deleted
          and (position, id) > (${position!}::text::double precision, ${segment!}::text)
        order by position, id limit ${limit + 1}) as measured) as s
      join conversations c on c.id = s.conversation_id
      ${sql.unsafe(speakerNames.joins)}
    where s.begins < ${pageBytes}
    order by s.position, s.id`;
  const shown = read.slice(0, limit);
  const last = shown.at(-1);
  const isEnd = last === undefined || (read.length <= limit && !(await hasMore(sql, id, last)));
  return {
    rows: shown.map(({ position: _, ...row }) => row),
    next: isEnd ? null : [last.position, last.id],
  };
};

const hasMore = async (sql: Sql, conversationId: string, { position, id }: ReadSegment): Promise<boolean> => {
  const found = await sql`
    select 1 as found from segments where conversation_id = ${conversationId} and not deleted
      and (position, id) > (${position}::text::double precision, ${id}::text) limit 1`;
  return found.length > 0;
};

/** Reads segments of a conversation by id, in order. Unknown and deleted segments are left out. */
export const segmentsById = (
  sql: Sql,
  conversationId: string,
  ids: readonly string[],
): Promise<ShownSegment[]> =>
  jsonRows<ShownSegment>(sql)`
    select ${sql.unsafe(columns)} from segments s join conversations c on c.id = s.conversation_id
      ${sql.unsafe(speakerNames.joins)}
    where s.conversation_id = ${conversationId} and s.id = any(${ids as string[]}::text[]) and not s.deleted
    order by s.position, s.id`;

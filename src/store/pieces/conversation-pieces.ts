import { preparedRaw, type RawRow, type Sql } from '../client/index.js';
import { fieldsBefore, fieldsBehind, segmentJson, speakerNames, type Tasks } from './conversation-json.js';
import { piece } from './piece.js';

/** Approximate number of bytes of a segment without its texts. */
const beside = 200;

/**
 * Returns an SQL query for the last position of the piece that begins after `position`. A piece covers at most
 * `piece.segments` positions. The query reads the positions one by one. With a large limit instead, the planner would
 * read and sort all following rows.
 */
const lastPosition = (position: string): string => `
  with recursive walk (position, n) as (
    select ${position}::text::double precision, 0
    union all
    select following.position, walk.n + 1 from walk cross join lateral (
      select position from segments where conversation_id = c.id and not deleted and position > walk.position
      order by position limit 1) as following
    where walk.n < ${piece.segments})
  select max(position) from walk`;

/**
 * Returns an SQL query for the segments of a conversation `c` after a position, as many as fit into a piece. If more
 * segments may follow, the query also selects the position of the last segment.
 */
const segmentsBehind = (position: string, id: string): string => `
  select json_agg(${segmentJson} order by s.position, s.id) filter (where s.begins < ${piece.bytes}) as said,
    case when count(*) = ${piece.segments} or bool_or(s.begins >= ${piece.bytes}) then
      (array_agg(json_build_array(s.position::text, s.id) order by s.position desc, s.id desc) filter (where s.begins < ${piece.bytes}))[1]
    end as last
  from (
    select first.*, sum(bytes) over (order by position, id rows unbounded preceding) - bytes as begins from (
      select *, octet_length(text) + octet_length(translations::text) + ${beside} as bytes from segments
      where conversation_id = c.id and not deleted and (position, id) > (${position}::text::double precision, ${id}::text)
        and position <= (${lastPosition(position)})
      order by position, id limit ${piece.segments}) as first) as s
    ${speakerNames.joins}`;

const conversation =
  'select * from conversations where id = $1 and uid = $2 and deleted_at is null and not is_locked';

const beginText = (tasks: Tasks): string => `
  with c as (${conversation})
  select json_build_object(${fieldsBefore(tasks)}), json_build_object(${fieldsBehind}), extract(epoch from c.started_at)::text, p.said, p.last
  from c cross join lateral (${segmentsBehind("'-Infinity'", "''")}) as p`;
const beginTexts = { shown: beginText('shown'), hidden: beginText('hidden') } as const;

const goOnText = `
  with c as (${conversation} and extract(epoch from started_at) is not distinct from $5::text::numeric)
  select p.said, p.last from c cross join lateral (${segmentsBehind('$3', '$4')}) as p`;

/**
 * Segments as JSON texts in UTF-8, separated by commas. `last` is the position of the last segment; null when no more
 * follow.
 */
export interface SegmentsPiece {
  readonly said: Buffer;
  readonly last: readonly [position: string, id: string] | null;
}

/**
 * A conversation as the API returns it, with its first segments. `before` and `behind` are JSON objects with the fields
 * before and after the segments.
 */
export interface ConversationPiece extends SegmentsPiece {
  readonly before: Buffer;
  readonly behind: Buffer;
  /** Start of the conversation, to which the times of segments are relative; null when unknown. */
  readonly started: string | null;
}

const segmentsOf = ([said, last]: RawRow): SegmentsPiece => ({
  // Removes the brackets of the JSON array.
  said: said?.subarray(1, -1) ?? Buffer.alloc(0),
  last: last ? (JSON.parse(last.toString()) as [string, string]) : null,
});

/**
 * Reads the first piece of a user's conversation, in any status. Null when the conversation is unknown, deleted or
 * locked.
 * @param tasks false: the list of tasks is empty.
 */
export const beginConversation = async (
  sql: Sql,
  uid: string,
  id: string,
  tasks: boolean,
): Promise<ConversationPiece | null> => {
  const [row] = await preparedRaw(sql, tasks ? beginTexts.shown : beginTexts.hidden, [id, uid]);
  if (!row) return null;
  const [before, behind, started, ...segments] = row;
  return { before: before!, behind: behind!, started: started?.toString() ?? null, ...segmentsOf(segments) };
};

/**
 * Reads the next segments of a conversation after a position. Null when the conversation has been removed or locked, or
 * when its start has changed.
 * @param started start of the conversation when the first piece was read.
 */
export const goOnConversation = async (
  sql: Sql,
  uid: string,
  id: string,
  [position, segment]: readonly [position: string, id: string],
  started: string | null,
): Promise<SegmentsPiece | null> => {
  const [row] = await preparedRaw(sql, goOnText, [id, uid, position, segment, started]);
  return row ? segmentsOf(row) : null;
};

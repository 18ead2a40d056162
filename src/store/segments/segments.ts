import { storableName, storableText } from '../../common/index.js';
import { emptySegment, type LiveSegment, type StoredSegment } from '../../wire/index.js';
import type { SegmentRow } from '../../wire/spill/index.js';
import type { Sql, TransactionSql } from '../client/index.js';
import { piece } from '../pieces/index.js';
import { jsonRows } from './json-rows.js';

/**
 * The columns of `segments` that a transcript needs, with their types. The column lists of statements are made from
 * this object.
 */
const transcriptTypes = {
  id: 'text',
  text: 'text',
  speaker: 'text',
  speaker_id: 'integer',
  is_user: 'boolean',
  person_id: 'text',
  start_seconds: 'double precision',
  end_seconds: 'double precision',
  translations: 'jsonb',
  speech_profile_processed: 'boolean',
  stt_provider: 'text',
  stt_model: 'text',
} as const satisfies Record<keyof TranscriptRow, string>;

/** All columns of `segments`. */
const columnTypes = {
  conversation_id: 'uuid',
  position: 'double precision',
  revision: 'bigint',
  epoch: 'bigint',
  deleted: 'boolean',
  ...transcriptTypes,
} as const;

const key: readonly string[] = ['conversation_id', 'id'];
const columns = Object.keys(columnTypes);
const columnsOfRecord = columns.map((name) => `row.${name}`).join(', ');
const recordType = Object.entries(columnTypes)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');
/**
 * SQL assignment of the translations in an upsert. Processes that do not hold the conversation also write translations.
 * So an upsert without translations keeps the stored translations if the text is unchanged.
 */
const keptTranslations = `translations = case
    when excluded.translations = '[]' and excluded.text = segments.text and not excluded.deleted then segments.translations
    else excluded.translations end`;
const replacements = columns
  .filter((name) => !key.includes(name))
  .map((name) => (name === 'translations' ? keptTranslations : `${name} = excluded.${name}`))
  .join(', ');

/** The columns of a `TranscriptRow` as a select list. */
export const transcriptColumns = Object.keys(transcriptTypes).join(', ');

/** The columns of `segments` that a transcript consists of. */
export interface TranscriptRow extends Omit<LiveSegment, 'start' | 'end'> {
  readonly start_seconds: number;
  readonly end_seconds: number;
}

/** Converts a row to a segment. Other columns of the row are left out. */
export const liveSegment = (row: TranscriptRow): LiveSegment => ({
  id: row.id,
  text: row.text,
  speaker: row.speaker,
  speaker_id: row.speaker_id,
  is_user: row.is_user,
  person_id: row.person_id,
  start: row.start_seconds,
  end: row.end_seconds,
  translations: row.translations,
  speech_profile_processed: row.speech_profile_processed,
  stt_provider: row.stt_provider,
  stt_model: row.stt_model,
});

/** A row with its position and revision. */
export interface StoredRow extends TranscriptRow {
  readonly position: number;
  readonly revision: number;
  readonly by_user?: boolean;
}

/** Converts a row to a segment like `liveSegment`, with position and revision. */
export const storedSegment = (row: StoredRow): StoredSegment => ({
  position: row.position,
  revision: row.revision,
  segment: liveSegment(row),
  ...(row.by_user && { byUser: true }),
});

const transcriptRow = (segment: LiveSegment): TranscriptRow => ({
  id: storableText(segment.id),
  text: storableText(segment.text),
  speaker: storableText(segment.speaker),
  speaker_id: segment.speaker_id,
  is_user: segment.is_user,
  person_id: storableName(segment.person_id),
  start_seconds: segment.start,
  end_seconds: segment.end,
  translations: segment.translations.map(({ lang, text }) => ({ lang, text: storableText(text) })),
  speech_profile_processed: segment.speech_profile_processed,
  stt_provider: storableName(segment.stt_provider),
  stt_model: storableName(segment.stt_model),
});

/** A row of `segments` with all columns, as `jsonb_to_recordset` reads it. */
export type WrittenRow = { readonly [Column in keyof typeof columnTypes]: unknown };

/** Converts a segment or a tombstone to a row. Text that PostgreSQL cannot store is replaced. */
export const writtenRow = (conversationId: string, epoch: number, row: SegmentRow): WrittenRow => ({
  conversation_id: conversationId,
  position: row.position,
  revision: row.revision,
  epoch,
  deleted: row.segment === null,
  ...transcriptRow(row.segment ?? { ...emptySegment, id: row.id, speaker: '' }),
});

const insertRows = (sql: Sql | TransactionSql, rows: readonly WrittenRow[]) => sql`
  insert into segments (${sql.unsafe(columns.join(', '))}) select ${sql.unsafe(columnsOfRecord)}
  from jsonb_to_recordset(${sql.json(rows as never)}) as row(${sql.unsafe(recordType)})`;

/**
 * Inserts rows, and replaces stored rows that have a smaller revision. `rows` must have at most one row for each
 * segment.
 * @param owned relation of the writable conversations: all `conversations`, or a query named `owned`. With `owned`, a
 *   row is only written when its epoch equals the conversation's epoch.
 * @returns one row for each written row.
 */
export const upsertSegments = (
  sql: Sql | TransactionSql,
  rows: readonly WrittenRow[],
  owned: 'owned' | 'conversations',
) => sql`${insertRows(sql, rows)}
  join ${sql.unsafe(owned)} as owner on owner.id = row.conversation_id
    ${owned === 'owned' ? sql`and owner.epoch = row.epoch` : sql``}
  on conflict (${sql.unsafe(key.join(', '))}) do update set ${sql.unsafe(replacements)}
  where segments.revision < excluded.revision
  returning conversation_id`;

/** Approximate number of bytes of a segment without its texts. */
const beside = 200;

type ReadRow = Omit<StoredRow, 'revision'>;

/** Reads the segments after a row, as many as fit into a piece. The result is empty at the end of the transcript. */
const rowsBehind = (sql: Sql, conversationId: string, last: Place | undefined): Promise<ReadRow[]> =>
  jsonRows<ReadRow>(sql)`
    select position, ${sql.unsafe(transcriptColumns)}
    from (
      select *, sum(bytes) over (order by position, id rows unbounded preceding) - bytes as begins from (
        select *, octet_length(text) + octet_length(translations::text) + ${sql.unsafe(String(beside))} as bytes from segments
        where conversation_id = ${conversationId} and not deleted
          and (position, id) > (${last?.position ?? Number.NEGATIVE_INFINITY}::double precision, ${last?.id ?? ''}::text)
        order by position, id limit ${piece.segments}) as first) as measured
    where begins < ${piece.bytes}
    order by position, id`;

/** Selects the two ends of a long transcript to read. */
export interface TranscriptEnds {
  /** Minimum number of bytes to read from the beginning. */
  readonly beginning: number;
  /** Minimum number of bytes to read from the end. */
  readonly end: number;
}

type Place = Pick<ReadRow, 'id' | 'position'>;

/** The middle of a transcript, which is left out when only both ends are read. */
interface Middle {
  /** The last segment of the beginning. */
  readonly from: Place;
  /** The last omitted segment. */
  readonly to: Place;
}

/**
 * Finds the middle of a transcript; undefined when the two ends cover the whole transcript. Sums bytes instead of
 * characters, because the database knows a text's size in bytes without reading the text.
 */
const middleOf = async (
  sql: Sql,
  conversationId: string,
  ends: TranscriptEnds,
): Promise<Middle | undefined> => {
  const [row] = await sql<{ from: Place | null; to: Place | null }[]>`
    with measured as (
      select position, id, octet_length(text) as length
      from segments where conversation_id = ${conversationId} and not deleted),
    summed as (
      select position, id,
        sum(length) over (order by position, id rows unbounded preceding) - length as before,
        sum(length) over (order by position desc, id desc rows unbounded preceding) - length as behind
      from measured)
    select
      (select json_build_object('position', position, 'id', id) from summed where before < ${ends.beginning}::integer
        order by position desc, id desc limit 1) as "from",
      (select json_build_object('position', position, 'id', id) from summed
        where before >= ${ends.beginning}::integer and behind >= ${ends.end}::integer
        order by position desc, id desc limit 1) as "to"`;
  return row?.from && row.to ? { from: row.from, to: row.to } : undefined;
};

/**
 * Reads the transcript of a conversation, in order, without deleted segments. A long transcript is read in pieces, so
 * that the thread can do other work in between. Segments that are written between two pieces may be included.
 * @param ends limits the result to both ends; the whole transcript when absent.
 */
export const transcriptOf = async (
  sql: Sql,
  conversationId: string,
  ends?: TranscriptEnds,
): Promise<LiveSegment[]> => {
  const middle = ends && (await middleOf(sql, conversationId, ends));
  const segments: LiveSegment[] = [];
  let last: Place | undefined;
  do {
    const rows = await rowsBehind(sql, conversationId, last);
    const cut = middle ? rows.findIndex(({ id }) => id === middle.from.id) : -1;
    const read = cut === -1 ? rows : rows.slice(0, cut + 1);
    for (const row of read) segments.push(liveSegment(row));
    last = cut === -1 ? rows.at(-1) : middle!.to;
  } while (last !== undefined);
  return segments;
};

/** Selects segments of a conversation by id or by speaker. */
export interface SegmentQuestion {
  readonly segmentIds: readonly string[];
  readonly speakerIds: readonly number[];
  /** Selects only segments after this position. */
  readonly after: number;
  readonly limit: number;
}

/** Reads segments of a conversation that are selected by their id or by their speaker, in order. */
export const askedSegments = async (
  sql: Sql,
  conversationId: string,
  { segmentIds, speakerIds, after, limit }: SegmentQuestion,
): Promise<StoredSegment[]> => {
  const rows = await jsonRows<StoredRow>(sql)`
    select ${sql.unsafe(transcriptColumns)}, position, revision from segments
    where conversation_id = ${conversationId} and not deleted and position > ${after}
      and (id = any(${segmentIds as string[]}::text[]) or speaker_id = any(${speakerIds as number[]}::integer[]))
    order by position, id limit ${limit}`;
  return rows.map(storedSegment);
};

/**
 * Maximum number of characters (code units) inserted by one statement. The limit keeps the thread from converting text
 * to JSON and UTF-8 for a long time without a pause.
 */
const mostInserted = 131_072;

/**
 * Inserts a whole transcript in the given order. A long transcript takes several statements, so that the thread can do
 * other work in between. The caller runs them in one transaction.
 */
export const insertSegments = async (
  sql: Sql | TransactionSql,
  conversationId: string,
  segments: readonly LiveSegment[],
): Promise<void> => {
  let rows: WrittenRow[] = [];
  let characters = 0;
  for (const [position, segment] of segments.entries()) {
    rows.push(writtenRow(conversationId, 0, { id: segment.id, position, revision: 1, segment }));
    characters += segment.text.length + beside;
    if (characters < mostInserted) continue;
    await insertRows(sql, rows);
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) await insertRows(sql, rows);
};

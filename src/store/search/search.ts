import { preparedText, type Sql } from '../client/index.js';

/** Kinds of searchable records. */
export const searchedKinds = ['memory', 'conversation', 'action_item', 'post'] as const;
export type SearchedKind = (typeof searchedKinds)[number];

/** A row of the table `search_vectors`. */
export interface VectorRow {
  readonly id: string;
  /** Time of the record, ms since 1970. */
  readonly at: number;
  /** The vector; null until it is computed. */
  readonly vector: Float32Array | null;
}

/**
 * Describes the moment at which vectors were read: which transactions had ended by then, and when the database server
 * had started.
 */
export interface Standpoint {
  /** Number of a transaction. When the vectors were read, all transactions with smaller numbers had ended. */
  readonly seen: string;
  readonly server: string;
}

interface RawVector {
  readonly id: string;
  readonly at: number;
  readonly vector: string | null;
}

/** Returns a vector as little-endian bytes on every machine, like the column of `search_vectors`. */
const bytesOf = (vector: Float32Array): Buffer => {
  const bytes = Buffer.alloc(4 * vector.length);
  vector.forEach((value, i) => {
    bytes.writeFloatLE(value, 4 * i);
  });
  return bytes;
};

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

const vectorOf = (hex: string): Float32Array => {
  // The new array is aligned to four bytes, as a `Float32Array` view requires.
  const bytes = new Uint8Array(hex.length / 2);
  Buffer.from(bytes.buffer).write(hex, 'hex');
  if (!isLittleEndian) Buffer.from(bytes.buffer).swap32();
  return new Float32Array(bytes.buffer);
};

const rowOf = ({ id, at, vector }: RawVector): VectorRow => ({
  id,
  at,
  vector: vector === null ? null : vectorOf(vector),
});

const milliseconds = `(extract(epoch from at) * 1000)::float8`;

/** SQL columns of a `Standpoint`, from the statement's own snapshot. */
const standpoint = `pg_snapshot_xmin(pg_current_snapshot())::text as seen, pg_postmaster_start_time()::text as server`;

export interface VectorPage extends Standpoint {
  readonly rows: readonly VectorRow[];
  /** Whether some vectors of the user are not computed yet. */
  readonly missing: boolean;
}

const readPage = async (
  sql: Sql,
  uid: string,
  kind: SearchedKind,
  condition: string,
  values: readonly (string | number)[],
): Promise<VectorPage> => {
  const text = `
    select ${standpoint},
      exists (select from search_vectors where uid = $1 and kind = $2 and vector is null) as missing, v.id, v.at, v.vector
    from (select 1) as one
    left join lateral (
      select id, ${milliseconds} as at, encode(vector, 'hex') as vector from search_vectors
      where uid = $1 and kind = $2 and ${condition}) as v on true`;
  const rows = await sql.unsafe<
    (Omit<VectorPage, 'rows'> & { id: string | null; at: number; vector: string | null })[]
  >(text, [uid, kind, ...values], { prepare: true });
  const { seen, server, missing } = rows[0]!;
  return {
    seen,
    server,
    missing,
    rows: rows.flatMap(({ id, at, vector }) => (id === null ? [] : rowOf({ id, at, vector }))),
  };
};

/** Reads a page of a user's computed vectors, by descending id. */
export const vectorsBefore = (
  sql: Sql,
  uid: string,
  kind: SearchedKind,
  before: string | null,
  limit: number,
): Promise<VectorPage> =>
  readPage(sql, uid, kind, `length(vector) > 0 and ($3 = '' or id < $3) order by id desc limit $4`, [
    before ?? '',
    limit,
  ]);

/**
 * Reads at most `limit` of a user's vectors that have changed since a standpoint. Deleted rows are not included. Rows
 * copied from another server may have a larger transaction number than this server has used so far. Such rows are left
 * out, because they have not changed since the copy.
 */
export const vectorsSince = (
  sql: Sql,
  uid: string,
  kind: SearchedKind,
  { seen }: Standpoint,
  limit: number,
): Promise<VectorPage> =>
  readPage(
    sql,
    uid,
    kind,
    `change >= $3::text::xid8 and change < pg_snapshot_xmax(pg_current_snapshot()) limit $4`,
    [seen, limit],
  );

/** Returns the ids among `ids` that have a row. */
export const storedVectors = async (
  sql: Sql,
  uid: string,
  kind: SearchedKind,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await sql<{ id: string }[]>`
    select id from search_vectors where uid = ${uid} and kind = ${kind} and id = any(${ids as string[]})`;
  return new Set(rows.map(({ id }) => id));
};

/** A text without a computed vector. */
export interface PendingText {
  readonly uid: string;
  readonly kind: SearchedKind;
  readonly id: string;
  /** Time of the record, ms since 1970. */
  readonly at: number;
  /** Version of the text. A vector of another version is not stored. */
  readonly change: string;
  readonly text: string;
}

/** Maximum number of characters read from a text to compute its vector. The model uses only a part of them. */
const longestText = 4000;

const uuidWhere = (kind: SearchedKind): string => `case when v.kind = '${kind}' then v.id::uuid end`;

const pendingText = (condition: string): string => `
  select v.uid, v.kind, v.id, v.at, v.change::text as change, left(coalesce(m.content, a.description, p.text,
    concat_ws('. ', nullif(c.structured->>'title', ''), nullif(c.structured->>'overview', '')), ''), ${longestText}) as text
  from (
    select uid, kind, id, ${milliseconds} as at, change from search_vectors
    where vector is null ${condition} limit $1) as v
  left join memories m on m.id = ${uuidWhere('memory')}
  left join action_items a on a.id = ${uuidWhere('action_item')}
  left join conversations c on c.id = ${uuidWhere('conversation')}
  left join posts p on v.kind = 'post' and p.uid = v.uid and p.id = v.id`;
const pendingOfAll = pendingText('');
const pendingOfUser = pendingText('and uid = $2 and kind = $3 order by change desc');

/** Reads texts of all users that have no vector. */
export const pendingTexts = async (sql: Sql, limit: number): Promise<PendingText[]> => [
  ...(await preparedText<PendingText[]>(sql, pendingOfAll, [limit])),
];

/** Reads the newest texts of a user that have no vector. */
export const pendingTextsOf = async (
  sql: Sql,
  uid: string,
  kind: SearchedKind,
  limit: number,
): Promise<PendingText[]> => [...(await preparedText<PendingText[]>(sql, pendingOfUser, [limit, uid, kind]))];

/**
 * Stores vectors of texts that have not changed since they were read. Skips rows that another transaction is changing,
 * so that the two transactions do not wait for each other.
 * @param vectors one vector for each text. An empty vector means that no vector can be made for the text.
 */
export const storeVectors = async (
  sql: Sql,
  texts: readonly PendingText[],
  vectors: readonly Float32Array[],
): Promise<void> => {
  const given = texts.map(({ uid, kind, id, change }, i) => ({
    uid,
    kind,
    id,
    change,
    vector: bytesOf(vectors[i]!).toString('hex'),
  }));
  await preparedText(
    sql,
    `with given as (
      select * from jsonb_to_recordset($1::text::jsonb) as g (uid text, kind text, id text, change text, vector text)),
    free as (
      select v.uid, v.kind, v.id, g.vector from search_vectors v
      join given g on g.uid = v.uid and g.kind = v.kind and g.id = v.id
      where v.vector is null and v.change = g.change::xid8
      for update of v skip locked)
    update search_vectors v set vector = decode(free.vector, 'hex'), change = pg_current_xact_id()
    from free where v.uid = free.uid and v.kind = free.kind and v.id = free.id`,
    [JSON.stringify(given)],
  );
};

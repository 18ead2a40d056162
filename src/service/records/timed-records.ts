import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { storableText } from '../../common/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Page, Period, Sql } from '../../store/client/index.js';
import { isoUtc } from '../../store/record/index.js';
import { type TimedFilter, type TimedRecord, type TimedRow, timedRows } from '../../store/records/index.js';
import type { SearchedKind } from '../../store/search/index.js';
import type { CreationOf, RowOf } from '../../wire/records/index.js';
import {
  type Creation,
  createOnce,
  cursorsOf,
  earlierNames,
  invalid,
  optionalText,
  type Paged,
  type PagedInParts,
  type PageRequest,
  plainText,
  type SearchPage,
  type SearchQuery,
  searchPage,
  time,
} from '../rules/index.js';
import type { Search } from '../search/index.js';
import { refusalsOf, valuesOf } from './record-values.js';

/** Limits of records that applications write. The id's length is in code points. */
export const recordBounds = { id: 100, batch: 100, page: 500 } as const;

/** The fields of a record that an application gives. */
type GivenOf<R extends TimedRecord> = CreationOf<R> & {
  /** The application's id for the record. Writing the same id again replaces the record. Default: a new id. */
  readonly id?: string | null | undefined;
  /** Time of the record. Default: now. */
  readonly created_at?: Date | null | undefined;
};

export type RecordQuery = PageRequest & Period;

/**
 * Ids that no record can have. In the path of a request, `batch` means several records. A path cannot end with `.` or
 * `..`.
 */
const takenIds = new Set(['batch', '.', '..']);

const idOf = (given: string | null | undefined): string => {
  const id = optionalText('id', given, recordBounds.id);
  if (id !== null && takenIds.has(id)) throw invalid(`id cannot be ${id}`, 'body.id');
  return id ?? uuidv7();
};

/** A record in the form that clients receive. */
export type Shown<Row extends TimedRow> = Omit<Row, 'created_at'> & { readonly created_at: string };

const view = <Row extends TimedRow>(row: Row): Shown<Row> => ({ ...row, created_at: isoUtc(row.created_at) });

const full = (kind: string, limit: number): CochleaError => new CochleaError('records_full', { kind, limit });

const filterOf = (page: Page, { from, to }: RecordQuery, where: TimedFilter['where']): TimedFilter => {
  const named = where && { ...where, value: storableText(where.value) };
  return { ...page, from, to, where: named };
};

/** Converts given records to rows. @throws CochleaError `validation_failed` */
const rowsOf = <R extends TimedRecord>(
  values: ReturnType<typeof valuesOf<R>>,
  given: readonly GivenOf<R>[],
) => {
  if (given.length > recordBounds.batch) throw invalid(`At most ${recordBounds.batch} in a request`);
  const now = new Date();
  const made = given.map((one) => ({
    ...values.created(one),
    id: idOf(one.id),
    created_at: one.created_at ?? now,
  }));
  if (new Set(made.map(({ id }) => id)).size < made.length) throw invalid('An id is repeated');
  return made;
};

/**
 * Creates the operations on a kind of record that a user's applications write. Lists are newest first.
 * @param most maximum number of records for each user.
 */
export const timedRecords = <R extends TimedRecord, Row extends TimedRow = RowOf<R> & TimedRow>(
  record: R,
  most: number,
) => {
  const { table, many } = record;
  const rows = timedRows<R, Row>(record);
  const values = valuesOf(record);
  const { notFound, found } = refusalsOf(record);
  const cursors = cursorsOf(table, z.tuple([time, plainText]));

  return {
    /**
     * Writes records. Writes all of them or none.
     * @param key a repetition with the same key writes nothing more.
     * @param request operation and content for the idempotency check. Needed if the records do not depend on `given`
     * alone.
     * @throws CochleaError `validation_failed`, `records_full`, `idempotency_conflict`, `idempotency_gone`
     */
    async write(
      sql: Sql,
      uid: string,
      given: readonly GivenOf<R>[],
      key?: string | null,
      request?: Pick<Creation<Row>, 'operation' | 'given'>,
    ): Promise<Shown<Row>[]> {
      const made = rowsOf(values, given) as unknown as Row[];
      if (made.length === 0) return [];
      const written = await createOnce<Row>(sql, {
        operation: table,
        given: key ? earlierNames(given) : given,
        ...request,
        uid,
        key,
        make: async (transaction) => {
          await rows.lock(transaction, uid);
          const result = await rows.write(transaction, uid, made);
          if ((await rows.count(transaction, uid)) > most) throw full(many, most);
          return result;
        },
        read: (ids) => rows.byIds(sql, uid, ids),
      });
      return written.map(view);
    },

    /** Returns a page of a user's records, newest first. */
    async list(
      sql: Sql,
      uid: string,
      query: RecordQuery,
      where?: TimedFilter['where'],
    ): Promise<Paged<Shown<Row>>> {
      return cursors.paged(await rows.list(sql, uid, filterOf(cursors.page(query), query, where)), view);
    },

    /** Returns the page of `list`, in parts if it is long. @param show converts a record to an item; default: unchanged. */
    async listInParts<Item = Shown<Row>>(
      sql: Sql,
      uid: string,
      query: RecordQuery,
      where?: TimedFilter['where'],
      show: (shown: Shown<Row>) => Item = (shown) => shown as unknown as Item,
    ): Promise<PagedInParts<Item>> {
      const part = await rows.list(sql, uid, {
        ...filterOf(cursors.page(query), query, where),
        measured: true,
      });
      const read = (ids: readonly string[]) => rows.byIds(sql, uid, ids);
      return cursors.pagedInParts(part, (row) => show(view(row)), read);
    },

    /** Returns the records that match a query. Only for kinds of records that can be searched. */
    async search(
      search: Search,
      sql: Sql,
      uid: string,
      searched: SearchedKind,
      query: SearchQuery,
    ): Promise<SearchPage<Shown<Row>>> {
      const read = (ids: readonly string[]) => rows.byIds(sql, uid, ids);
      return searchPage(await search.find({ ...query, uid, kind: searched, read }), view);
    },

    /** Returns the existing records with these ids, in the order of `ids`. */
    async byIds(sql: Sql, uid: string, ids: readonly string[]): Promise<Shown<Row>[]> {
      return (await rows.byIds(sql, uid, ids.map(storableText))).map(view);
    },

    /** Returns one record. @throws CochleaError `record_not_found` */
    async get(sql: Sql, uid: string, id: string): Promise<Shown<Row>> {
      const [row] = await rows.byIds(sql, uid, [storableText(id)]);
      return view(found(row));
    },

    /** Deletes a record. @throws CochleaError `record_not_found` */
    async remove(sql: Sql, uid: string, id: string): Promise<void> {
      if (!(await rows.remove(sql, uid, storableText(id)))) throw notFound();
    },
  };
};

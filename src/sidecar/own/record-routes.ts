import { z } from 'zod';
import { timesOf } from '../../service/days/index.js';
import { type RecordQuery, recordBounds } from '../../service/records/index.js';
import type { PagedInParts } from '../../service/rules/index.js';
import type { Sql } from '../../store/client/index.js';
import type { RecordDeclaration } from '../../wire/records/index.js';
import { ownData } from '../access/index.js';
import { deletion, type Route, recordHeads, route } from '../frame/index.js';
import {
  creationKey,
  creationShape,
  dateTime,
  dayEnd,
  dayStart,
  pageQuery,
  sendPage,
  sessionField,
  trimmed,
} from '../schemas/index.js';

/** Returns the schema of a record as an application sends it. */
export const givenRecord = <R extends RecordDeclaration>(record: R) =>
  z.object({
    ...creationShape(record),
    id: trimmed(1, recordBounds.id).nullish().meta({
      description: "The application's id. Writing it again replaces the record. Default: a new id.",
    }),
    created_at: dateTime.nullish().meta({ description: 'Default: now.' }),
  });

interface ShownRecord {
  readonly id: string;
}

/** The service's operations on a kind of record. */
interface Operations<Row> {
  write(sql: Sql, uid: string, given: readonly never[], key?: string | null): Promise<Row[]>;
  listInParts(
    sql: Sql,
    uid: string,
    query: RecordQuery,
    where?: { readonly column: string; readonly value: string },
    show?: (row: Row) => ShownRecord,
  ): Promise<PagedInParts<ShownRecord>>;
  get(sql: Sql, uid: string, id: string): Promise<Row>;
  remove(sql: Sql, uid: string, id: string): Promise<void>;
}

type Body = Readonly<Record<string, unknown>>;

/** A kind of record that a user's own applications write. */
interface RecordKind<Row> {
  /** Path of the list. */
  readonly url: string;
  /** Singular name of the records in operation ids, for example `Post`. */
  readonly one: string;
  /** Plural name of the records in operation ids, for example `Posts`. */
  readonly many: string;
  /** Name of the field that contains the records of a batch. */
  readonly field: string;
  /** Plural name of the records, for the summaries of operations. */
  readonly what: string;
  readonly operations: Operations<Row>;
  readonly body: z.ZodObject;
  readonly answer: z.ZodType;
  /** A query parameter that filters the list, and the column that it filters. */
  readonly filter?: { readonly name: string; readonly column: string; readonly value: z.ZodType };
  readonly example: { readonly body: Body; readonly answer: ShownRecord & Body };
  /** Converts the start and end of a list's period to moments. Default: `timesOf`. */
  readonly period?: typeof timesOf;
  /** Converts a body to the service's form. Default: unchanged. */
  readonly given?: (body: Body) => Body;
  /** Converts a record for the answer. Default: unchanged. */
  readonly show?: (row: Row) => ShownRecord;
}

/** Maximum bytes of a batch's answer. The size of the request body limits it. */
const batchBytes = 1_100_000;

/** Declares the routes of a kind of record: list, write one, write several, read one, delete one. */
export const recordRoutes = <Row extends ShownRecord>(sql: Sql, kind: RecordKind<Row>): readonly Route[] => {
  const { url, one, many, field, what, operations, body, answer, example, filter, period = timesOf } = kind;
  const { given = (one) => one, show = (row: Row) => row } = kind;
  const heads = recordHeads({ ...ownData, tag: 'User', url, one, many, made: 'write', answer });
  const write = async (uid: string, several: readonly Body[], key: string | null): Promise<ShownRecord[]> =>
    (await operations.write(sql, uid, several.map(given) as never, key)).map(show);
  return [
    route({
      ...heads.list,
      summary: `${what}, newest first`,
      query: z.object({
        ...pageQuery(50, recordBounds.page),
        start_date: dayStart.optional(),
        end_date: dayEnd.optional().meta({ description: 'A day alone includes that day.' }),
        ...(filter && { [filter.name]: filter.value.optional() }),
      }),
      inParts: true,
      example: { answer: [example.answer] },
      handle: async ({ caller: { uid }, query, reply }) => {
        const { limit, offset, cursor, start_date: from, end_date: to } = query;
        const part = { limit, offset, cursor, ...(await period(sql, uid, { from, to })) };
        const value = filter && (query as Body)[filter.name];
        const where = typeof value === 'string' ? { column: filter!.column, value } : undefined;
        return sendPage(reply, await operations.listInParts(sql, uid, part, where, show));
      },
    }),

    route({
      ...heads.create,
      summary: `${what}: write one, or replace the one with the same id`,
      body: body.extend(sessionField),
      example,
      handle: async ({ caller, headers, body: { client_session_id, ...record } }) => {
        const key = creationKey(headers, { client_session_id: client_session_id as string | null });
        return (await write(caller.uid, [record], key))[0];
      },
    }),

    route({
      ...heads.createBatch,
      operationId: `write${many}`,
      summary: `${what}: write several, all or none`,
      // The answer has about the size of the request body.
      answerBytes: batchBytes,
      body: z.object({ [field]: z.array(body).max(recordBounds.batch), ...sessionField }),
      answer: z.array(answer),
      example: { body: { [field]: [example.body] }, answer: [example.answer] },
      handle: ({ caller, headers, body: batch }) => {
        const { client_session_id, [field]: several } = batch as Body;
        const key = creationKey(headers, { client_session_id: client_session_id as string | null });
        return write(caller.uid, several as readonly Body[], key);
      },
    }),

    route({
      ...heads.get,
      summary: `${what}: one of them`,
      example: { answer: example.answer },
      handle: async ({ caller, path }) => show(await operations.get(sql, caller.uid, path.id)),
    }),

    deletion({
      ...heads.remove,
      summary: `${what}: delete one permanently`,
      remove: ({ caller, path }) => operations.remove(sql, caller.uid, path.id),
    }),
  ];
};

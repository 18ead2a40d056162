import { z } from 'zod';
import { type GivenTime, timesOf } from '../../service/days/index.js';
import { type RecordQuery, recordBounds } from '../../service/records/index.js';
import type { PagedInParts } from '../../service/rules/index.js';
import type { Sql } from '../../store/client/index.js';
import { firstParty } from '../access/index.js';
import { deletion, type Route, route } from '../frame/index.js';
import {
  creationKey,
  dateTime,
  dayEnd,
  dayStart,
  idempotencyHeaders,
  idPath,
  pageHeaders,
  pageQuery,
  sendPage,
  sessionField,
  trimmed,
} from '../schemas/index.js';

/** Fields that every record has when it is written. */
export const recordFields = {
  id: trimmed(1, recordBounds.id)
    .nullish()
    .meta({ description: "The application's id; writing it again replaces the record. Made when absent." }),
  created_at: dateTime.nullish().meta({ description: 'Now when absent.' }),
};

/** The bounds of a list as a client gives them. */
interface GivenPeriod {
  readonly [edge: string]: GivenTime | undefined;
  readonly from: GivenTime | undefined;
  readonly to: GivenTime | undefined;
}

/** A kind of record that the own applications of a user write. */
interface RecordKind<Given, Shown> {
  /** Path of the list. */
  readonly url: string;
  /** Name of one and of several in operation ids, such as `Post` and `Posts`. */
  readonly one: string;
  readonly many: string;
  /** Name of several in a batch, and in texts. */
  readonly field: string;
  readonly what: string;
  readonly body: z.ZodObject;
  readonly answer: z.ZodType<Shown>;
  /** Further parameters of the list. */
  readonly query?: z.ZodRawShape;
  readonly example: { readonly body: Record<string, unknown>; readonly answer: Shown };
  given(body: Readonly<Record<string, unknown>>): Given;
  /** The bounds of a list as moments. */
  period(uid: string, given: GivenPeriod): Promise<Pick<RecordQuery, 'from' | 'to'>>;
  write(uid: string, given: readonly Given[], key: string | null): Promise<Shown[]>;
  list(
    uid: string,
    query: RecordQuery,
    asked: Readonly<Record<string, unknown>>,
  ): Promise<PagedInParts<Shown>>;
  get(uid: string, id: string): Promise<Shown>;
  remove(uid: string, id: string): Promise<void>;
}

/** Bytes of a batch, which are bounded by those of a body. */
const batchBytes = 1_100_000;

const common = { tag: 'User', access: firstParty } as const;
const written = {
  limits: ['own:write'],
  headers: idempotencyHeaders,
  errors: ['records_full', 'idempotency_conflict', 'idempotency_gone'],
} as const;

interface ShownRecord {
  readonly id: string;
}

/** How tests make a record that a route names, and what the route answers about one of another user. */
const resourceOf = ({ one }: { readonly one: string }) =>
  ({ createdBy: `write${one}`, foreign: 404 }) as const;

const listRoute = <Given, Shown extends ShownRecord>(kind: RecordKind<Given, Shown>): Route => {
  const { url, many, what, answer, example } = kind;
  return route({
    ...common,
    method: 'GET',
    url,
    operationId: `list${many}`,
    summary: `${what}, newest first`,
    limits: ['own:read'],
    query: z.object({
      ...pageQuery(50, recordBounds.page),
      start_date: dayStart.optional(),
      end_date: dayEnd.optional().meta({ description: 'A day alone includes that day.' }),
      ...kind.query,
    }),
    answer: z.array(answer),
    inParts: true,
    answerHeaders: pageHeaders,
    example: { answer: [example.answer] },
    handle: async ({ caller, query, reply }) => {
      const { limit, offset, cursor, start_date: from, end_date: to } = query;
      const period = await kind.period(caller.uid, { from, to });
      const page = await kind.list(caller.uid, { limit, offset, cursor, ...period }, query);
      return sendPage(reply, page) as never;
    },
  });
};

const writeRoute = <Given, Shown extends ShownRecord>(kind: RecordKind<Given, Shown>): Route => {
  const { url, one, what, body, answer, example } = kind;
  return route({
    ...common,
    ...written,
    method: 'POST',
    url,
    operationId: `write${one}`,
    summary: `${what}: write one, or replace the one with the same id`,
    body: body.extend(sessionField),
    answer,
    example,
    handle: async ({ caller, headers, body: { client_session_id, ...given } }) => {
      const key = creationKey(headers, { client_session_id: client_session_id as string | null });
      return (await kind.write(caller.uid, [kind.given(given)], key))[0] as never;
    },
  });
};

const batchRoute = <Given, Shown extends ShownRecord>(kind: RecordKind<Given, Shown>): Route => {
  const { url, many, field, what, body, answer, example } = kind;
  return route({
    ...common,
    ...written,
    method: 'POST',
    url: `${url}/batch`,
    operationId: `write${many}`,
    summary: `${what}: write several, all of them or none`,
    // As much as its body has.
    answerBytes: batchBytes,
    body: z.object({ [field]: z.array(body).max(recordBounds.batch), ...sessionField }),
    answer: z.array(answer),
    example: { body: { [field]: [example.body] }, answer: [example.answer] },
    handle: async ({ caller, headers, body: given }) => {
      const { client_session_id, [field]: records } = given as Record<string, unknown>;
      const key = creationKey(headers, { client_session_id: client_session_id as string | null });
      return (await kind.write(caller.uid, (records as []).map(kind.given), key)) as never;
    },
  });
};

const readRoute = <Given, Shown extends ShownRecord>(kind: RecordKind<Given, Shown>): Route => {
  const { url, one, what, answer, example } = kind;
  return route({
    ...common,
    method: 'GET',
    url: `${url}/{id}`,
    operationId: `get${one}`,
    summary: `${what}: one of them`,
    limits: ['own:read'],
    errors: ['record_not_found'],
    resource: resourceOf(kind),
    path: idPath,
    answer,
    example: { answer: example.answer },
    handle: async ({ caller, path }) => (await kind.get(caller.uid, path.id)) as never,
  });
};

const deletionRoute = <Given, Shown extends ShownRecord>(kind: RecordKind<Given, Shown>): Route => {
  const { url, one, what } = kind;
  return deletion({
    ...common,
    url: `${url}/{id}`,
    operationId: `delete${one}`,
    summary: `${what}: delete one for good`,
    limits: ['own:write'],
    errors: ['record_not_found'],
    resource: resourceOf(kind),
    remove: ({ caller, path }) => kind.remove(caller.uid, path.id),
  });
};

/** The routes of a kind of record: list, one or several written, one read, one deleted. */
export const recordRoutes = <Given, Shown extends ShownRecord>(
  kind: RecordKind<Given, Shown>,
): readonly Route[] => [
  listRoute(kind),
  writeRoute(kind),
  batchRoute(kind),
  readRoute(kind),
  deletionRoute(kind),
];

interface Operations<Given, Shown> {
  write(sql: Sql, uid: string, given: readonly Given[], key?: string | null): Promise<Shown[]>;
  get(sql: Sql, uid: string, id: string): Promise<Shown>;
  remove(sql: Sql, uid: string, id: string): Promise<void>;
}

/** The operations of the service on one database, as `recordRoutes` takes them. */
export const operationsOn = <Given, Shown>(sql: Sql, operations: Operations<Given, Shown>) => ({
  period: (uid: string, given: GivenPeriod) => timesOf(sql, uid, given),
  write: (uid: string, given: readonly Given[], key: string | null) => operations.write(sql, uid, given, key),
  get: (uid: string, id: string) => operations.get(sql, uid, id),
  remove: (uid: string, id: string) => operations.remove(sql, uid, id),
});

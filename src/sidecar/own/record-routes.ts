import { z } from 'zod';
import { type GivenTime, timesOf } from '../../service/days/index.js';
import { type RecordQuery, recordBounds } from '../../service/records/index.js';
import type { PagedInParts } from '../../service/rules/index.js';
import type { Sql } from '../../store/client/index.js';
import { type Route, resourceRoutes, route } from '../frame/index.js';
import {
  creationKey,
  dateTime,
  dayEnd,
  dayStart,
  pageHeaders,
  pageQuery,
  sendPage,
  sessionField,
  trimmed,
} from '../schemas/index.js';
import { ownData } from './own-data.js';

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

/** The routes of a kind of record: list, one or several written, one read, one deleted. */
export const recordRoutes = <Given, Shown extends { readonly id: string }>(
  kind: RecordKind<Given, Shown>,
): readonly Route[] => {
  const { url, one, many, field, what, body, answer, example } = kind;
  const records = resourceRoutes({
    ...ownData,
    tag: 'User',
    url,
    one,
    made: 'write',
    answer,
    example: example.answer as never,
  });
  return [
    route({
      ...records.reading,
      method: 'GET',
      operationId: `list${many}`,
      summary: `${what}, newest first`,
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
    }),

    records.create({
      summary: `${what}: write one, or replace the one with the same id`,
      body: body.extend(sessionField),
      example,
      create: async (uid, given, key) => (await kind.write(uid, [kind.given(given)], key))[0] as never,
    }),

    route({
      ...records.creating,
      url: `${url}/batch`,
      operationId: `write${many}`,
      summary: `${what}: write several, all of them or none`,
      // As much as its body has.
      answerBytes: batchBytes,
      body: z.object({ [field]: z.array(body).max(recordBounds.batch), ...sessionField }),
      answer: z.array(answer),
      example: { body: { [field]: [example.body] }, answer: [example.answer] },
      handle: async ({ caller, headers, body: given }) => {
        const { client_session_id, [field]: several } = given as Record<string, unknown>;
        const key = creationKey(headers, { client_session_id: client_session_id as string | null });
        return (await kind.write(caller.uid, (several as []).map(kind.given), key)) as never;
      },
    }),

    records.get(`${what}: one of them`, kind.get as never),

    records.remove({ summary: `${what}: delete one for good`, remove: kind.remove }),
  ];
};

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

import type { ZodObject, ZodType, z } from 'zod';
import type { ErrorCode } from '../../errors/index.js';
import { creationKey, idempotencyHeaders, idPath } from '../schemas/index.js';
import { deletion } from './deletion.js';
import { type Parsed, type Route, type RouteHead, route } from './route.js';

type Rights = Pick<RouteHead, 'access' | 'limits'>;
type Said = Pick<RouteHead, 'summary' | 'description'>;

/** A kind of record that has routes. */
export interface Resource<Answer extends ZodType> extends Pick<RouteHead, 'tag'> {
  /** Path of the list; that of one record has its id behind it. */
  readonly url: string;
  /** Name of one record in operation ids, such as `Folder`. */
  readonly one: string;
  /** The verb of the operation that makes a record; `create` when absent. */
  readonly made?: string;
  /** Who may read records, and change them. */
  readonly reads: Rights;
  readonly writes: Rights;
  /** Further errors of requests that name a record. */
  readonly errors?: readonly ErrorCode[];
  readonly answer: Answer;
  readonly example: z.input<Answer>;
}

/** Errors of what creates records. */
const creationErrors: readonly ErrorCode[] = ['records_full', 'idempotency_conflict', 'idempotency_gone'];

/** Declares the routes that are alike for all kinds of records: those that create one, and those that name one by its id. */
export const resourceRoutes = <Answer extends ZodType>(resource: Resource<Answer>) => {
  const { tag, url, one, made = 'create', reads, writes, errors = [], answer, example } = resource;
  const reading = { tag, url, ...reads };
  const writing = { tag, url, ...writes };
  const creating = {
    ...writing,
    method: 'POST',
    errors: creationErrors,
    headers: idempotencyHeaders,
  } as const;
  const named = {
    url: `${url}/{id}`,
    errors: ['record_not_found', ...errors],
    resource: { createdBy: `${made}${one}`, foreign: 404 },
  } as const;
  return {
    /** What routes have in common that read records, write them, create some, and name one. */
    reading,
    writing,
    creating,
    named,

    create: <Body extends ZodObject>(
      declared: Said & {
        readonly body: Body;
        readonly example: { readonly body: unknown; readonly answer?: z.input<Answer> };
        readonly create: (
          uid: string,
          body: Omit<z.output<Body>, 'client_session_id'>,
          key: string | null,
        ) => Promise<z.input<Answer>>;
      },
    ): Route => {
      const { create, ...said } = declared;
      return route({
        ...creating,
        ...said,
        operationId: `${made}${one}`,
        answer: answer as ZodType,
        example: { answer: example, ...said.example },
        handle: ({ caller, headers, body }) => {
          const { client_session_id, ...given } = body as { readonly client_session_id?: string | null };
          const key = creationKey(headers, { client_session_id });
          return create(caller.uid, given as never, key);
        },
      });
    },

    get: (summary: string, get: (uid: string, id: string) => Promise<z.input<Answer>>): Route =>
      route({
        ...reading,
        ...named,
        method: 'GET',
        operationId: `get${one}`,
        summary,
        path: idPath,
        answer: answer as ZodType,
        example: { answer: example },
        handle: ({ caller, path }) => get(caller.uid, path.id),
      }),

    update: <Body extends ZodType>(
      declared: Said & {
        readonly body: Body;
        readonly example: { readonly body: unknown; readonly answer: z.input<Answer> };
        readonly update: (uid: string, id: string, body: z.output<Body>) => Promise<z.input<Answer>>;
      },
    ): Route => {
      const { update, ...said } = declared;
      return route({
        ...writing,
        ...named,
        ...said,
        method: 'PATCH',
        operationId: `update${one}`,
        path: idPath,
        answer: answer as ZodType,
        handle: ({ caller, path, body }) => update(caller.uid, path.id, body as z.output<Body>),
      });
    },

    remove: <Query extends ZodObject | undefined = undefined>(
      declared: Said & {
        readonly query?: Query;
        /** Further errors. */
        readonly errors?: readonly ErrorCode[];
        readonly remove: (uid: string, id: string, query: Parsed<Query>) => Promise<void>;
      },
    ): Route =>
      deletion({
        ...writing,
        ...named,
        operationId: `delete${one}`,
        ...declared,
        errors: [...named.errors, ...(declared.errors ?? [])],
        remove: ({ caller, path, query }) => declared.remove(caller.uid, path.id, query),
      }),
  };
};

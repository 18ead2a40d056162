import { type ZodType, z } from 'zod';
import type { Access } from '../access/index.js';
import type { Policy } from '../limits/index.js';
import { idempotencyHeaders, idPath, pageHeaders } from '../schemas/index.js';
import type { RouteHead } from './route.js';

/** The common parts of the routes of one kind of record. */
interface RecordKind<Answer extends ZodType> {
  readonly url: string;
  readonly tag: RouteHead['tag'];
  /** Names in operation ids: singular, then plural. */
  readonly one: string;
  readonly many: string;
  /** The verb in the id of the operation that creates a record. Default: `create`. */
  readonly made?: string;
  readonly read: { readonly access: Access; readonly limits: readonly [Policy] };
  readonly write: { readonly access: Access; readonly limits: readonly [Policy] };
  readonly answer: Answer;
}

/** Creates the parts of route declarations that are equal for every kind of record. */
export const recordHeads = <Answer extends ZodType>({
  url,
  tag,
  one,
  many,
  made = 'create',
  read,
  write,
  answer,
}: RecordKind<Answer>) => {
  const resource = { createdBy: `${made}${one}`, foreign: 404 } as const;
  const on = { tag, url: `${url}/{id}`, resource, errors: ['record_not_found'] } as const;
  const created = {
    ...write,
    tag,
    method: 'POST',
    errors: ['records_full', 'idempotency_conflict', 'idempotency_gone'],
    headers: idempotencyHeaders,
  } as const;
  return {
    list: {
      ...read,
      tag,
      url,
      method: 'GET',
      operationId: `list${many}`,
      answer: z.array(answer),
      answerHeaders: pageHeaders,
    },
    create: { ...created, url, operationId: `${made}${one}`, answer },
    createBatch: { ...created, url: `${url}/batch`, operationId: `create${many}Batch` },
    get: { ...on, ...read, path: idPath, method: 'GET', operationId: `get${one}`, answer },
    update: { ...on, ...write, path: idPath, method: 'PATCH', operationId: `update${one}`, answer },
    /** The common parts of the route that deletes a record, as arguments for `deletion`. */
    remove: { ...on, ...write, operationId: `delete${one}` },
  } as const;
};

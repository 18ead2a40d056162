import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodObject, ZodType, z } from 'zod';
import type { ErrorCode } from '../../errors/index.js';
import type { JsonDocument } from '../../service/parts/index.js';
import type { AdmittedWork } from '../../service/rules/index.js';
import type { Access, Caller } from '../access/index.js';
import { JsonInParts } from '../answers/index.js';
import type { Policy } from '../limits/index.js';

/** Groups of operations, as the API's description shows them. */
export const tags = {
  'API Keys': 'Keys of applications.',
  Memories: 'Facts about the user.',
  'Action Items': 'Tasks of the user.',
  Conversations: 'What was said, with its summary.',
  Folders: 'Folders of conversations.',
  Goals: 'Goals of the user and their progress.',
  People: 'People whom the user knows.',
  Recordings: 'Recordings that wearables made offline.',
  Chat: 'Messages that are answered from what was said.',
  'Voice messages': 'Recordings that a client waits for the words of.',
  'Speech profile': 'The voice by which a user is recognised.',
  User: 'Settings and other data that the own applications of a user write.',
  Assistants: 'What assistants use, and what they were granted.',
  Service: 'The state of this service.',
} as const;

export type Tag = keyof typeof tags;

/** A rate limit that a request is counted against: always, or when its query, as the client sent it, says so. */
export type Limit =
  | Policy
  | { readonly policy: Policy; readonly when: (query: Readonly<Record<string, unknown>>) => boolean };

/** What a handler is given of a part of the request; undefined for a part without a schema. */
export type Parsed<Schema> = Schema extends ZodType ? z.output<Schema> : undefined;
/** An answer that is JSON text in UTF-8 already, in the form of the route's schema. */
export class JsonText {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** The answer that is a JSON text. */
export const jsonAnswer = (document: JsonDocument): JsonText | JsonInParts =>
  Buffer.isBuffer(document) ? new JsonText(document) : new JsonInParts(document);

/** The result of a handler's work, and the user who made the request. */
export interface Admitted<Result> {
  readonly caller: Caller;
  readonly result: Result;
}

/** What a handler returns: plain JSON values in the schema's form, or their text, or nothing where the answer has no body. */
type Answered<Schema> = Schema extends ZodType
  ? z.input<Schema> | JsonText | JsonInParts | Promise<z.input<Schema> | JsonText | JsonInParts>
  : Promise<void>;

export interface RouteInput<Path, Query, Headers, Body> {
  /** The user who makes the request; not there on routes that need no credential, and on those that `admits` until `admit` resolves. */
  readonly caller: Caller;
  readonly path: Path;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /**
   * Admits the request, unless it is admitted already, and does its work: by one statement, where that is possible, which then costs
   * half as much.
   * @param together makes the work for the statement that reads the key of `uid` and counts the request. Null for a request that needs
   *   more. The statement has to be short, because the user's other requests wait for its end.
   * @param alone does the work of a request that is admitted, where that statement has not done it.
   * @throws CochleaError for a request that is refused.
   */
  readonly admit: <Result>(
    together: (uid: string) => AdmittedWork<Result> | null,
    alone: (caller: Caller) => Promise<Result>,
  ) => Promise<Admitted<Result>>;
}

/** The resource that a path names. */
export interface NamedResource {
  /**
   * Operation that makes one, with its example; its answer has the `id` that the path parameter takes. Null for what no
   * operation makes, as what a person does on a page.
   */
  readonly createdBy: string | null;
  /** The path parameter; `id` when absent. */
  readonly parameter?: string;
  /** The field of that answer, where it is not `id`. */
  readonly field?: string;
  /** What another user is answered. 204 where it must not show whether the resource exists. */
  readonly foreign: 404 | 204;
}

/** What every declaration of a route says, whatever it takes and answers. */
export interface RouteHead {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as in OpenAPI: `/v1/dev/keys/{key_id}`. */
  readonly url: string;
  readonly operationId: string;
  readonly tag: Tag;
  /** One line; the description may have several. */
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Rate limits; a request counts against each of them. */
  readonly limits: readonly Limit[];
  readonly resource?: NamedResource;
  /**
   * Errors of this operation. Those of its credential, its rate limits, its schemas and of every operation (500, 503, 504) need
   * not be listed.
   */
  readonly errors?: readonly ErrorCode[];
  /** Values of a real request; the matrix, the API's description and schemathesis use them. */
  readonly example?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly answer?: unknown;
  };
  /** Bytes of a body; 1 MiB when absent, and never more than BODY_LIMIT. */
  readonly bodyLimit?: number;
  /** Ms until the answer; REQUEST_TIMEOUT when absent. */
  readonly timeout?: number;
  /** The body stays text: the handler parses it. */
  readonly textBody?: true;
  /** The body is a form with files, which the handler reads (`receiveFiles`) and bounds. The name of its field, and what a file is. */
  readonly upload?: {
    readonly field: string;
    readonly description: string;
    /** What the body is where it is no form. */
    readonly raw?: string;
  };
  /** What the answer is as a stream of events, where a client may ask for that, or gets nothing else. */
  readonly events?: string;
  /** Body of errors whose codes begin with `stt_`, where it is not the usual one. */
  readonly failureBody?: ZodType;
  /** Status of the successful answer where it is neither 200 nor 204. */
  readonly status?: 202;
  /** Refuses pages of origins that the service does not know, before anything else. */
  readonly checksOrigin?: true;
  /** False leaves the operation out of the API's description, which cannot say what such an operation does. */
  readonly described?: false;
  /** Statuses of successful answers beside the usual one. */
  readonly alsoAnswers?: readonly number[];
  /**
   * Takes no turn among the requests of all users, because it waits for another service most of the time; a turn is a connection
   * to the database kept from others. Its handler takes turns of its own (`RouteContext.turns`) for statements that may be slow.
   */
  readonly withoutTurn?: boolean;
  /** Its handler calls `admit`, before which the request may not be admitted. */
  readonly admits?: true;
  /** Its answer may be sent in parts. */
  readonly inParts?: true;
  /**
   * Bytes that its answer may have, as JSON text, by what the query asks for. A request whose answer may be large gets memory for it before
   * anything is read. Absent where no answer is large, or where large ones are sent in parts.
   */
  readonly answerBytes?: number | ((query: Readonly<Record<string, unknown>>) => number);
  /** Headers of the answer with their meaning; those of rate limits need not be listed. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
}

/** A declared route. The schemas are undefined where the request has no such part, or the answer no body. */
export interface Route extends RouteHead {
  readonly path?: ZodObject;
  readonly query?: ZodObject;
  readonly headers?: ZodObject;
  readonly body?: ZodType;
  /** Schema of the successful answer: 200, or 204 without one. */
  readonly answer?: ZodType;
  // biome-ignore lint/suspicious/noExplicitAny: `route` has checked the handler against the schemas
  readonly handle: (input: RouteInput<any, any, any, any>) => unknown;
}

/**
 * Declares a route. The declaration is the only place that says what an operation takes, answers, needs and counts: validation,
 * the API's description, its client and the authorization matrix are made from it.
 */
export const route = <
  Path extends ZodObject | undefined = undefined,
  Query extends ZodObject | undefined = undefined,
  Headers extends ZodObject | undefined = undefined,
  Body extends ZodType | undefined = undefined,
  Answer extends ZodType | undefined = undefined,
>(
  declared: RouteHead & {
    readonly path?: Path;
    readonly query?: Query;
    readonly headers?: Headers;
    readonly body?: Body;
    readonly answer?: Answer;
    readonly handle: (
      input: RouteInput<Parsed<Path>, Parsed<Query>, Parsed<Headers>, Parsed<Body>>,
    ) => Answered<Answer>;
  },
): Route => declared as unknown as Route;

/** The status of a successful answer. */
export const successStatus = ({
  answer,
  events,
  status,
}: Pick<Route, 'answer' | 'events' | 'status'>): 200 | 202 | 204 =>
  status ?? (answer === undefined && events === undefined ? 204 : 200);

/** Bytes of an answer that has at most as many items as the query asks for. @param bytes of the longest item. */
export const answerBytesOf =
  (bytes: number) =>
  ({ limit }: Readonly<Record<string, unknown>>): number =>
    Number(limit) * bytes;

/** Every policy that a request to the route may be counted against. */
export const policiesOf = ({ limits }: Pick<Route, 'limits'>): Policy[] =>
  limits.map((limit) => (typeof limit === 'string' ? limit : limit.policy));

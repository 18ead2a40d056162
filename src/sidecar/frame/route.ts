import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodObject, ZodType, z } from 'zod';
import type { ErrorCode } from '../../errors/index.js';
import type { JsonDocument } from '../../service/parts/index.js';
import type { AdmittedWork } from '../../service/rules/index.js';
import type { Access, Caller } from '../access/index.js';
import { type FileInParts, JsonInParts } from '../answers/index.js';
import type { Policy } from '../limits/index.js';

/** Groups of operations in the API's description. */
export const tags = {
  'API Keys': 'Keys of applications.',
  Memories: 'Facts about the user.',
  'Action Items': 'Tasks of the user.',
  Conversations: 'Transcripts with their summaries.',
  Folders: 'Folders of conversations.',
  Goals: 'Goals of the user and their progress.',
  People: 'People that the user knows.',
  Recordings: 'Recordings that wearables made offline.',
  Chat: "Chat about the user's conversations.",
  'Voice messages': 'Voice messages with an immediate transcript.',
  'Speech profile': 'The voice profile that recognises the user.',
  User: "Settings and other data that the user's own applications write.",
  Console: 'Sessions of browsers at the console.',
  Assistants: 'The tool server of assistants, and their access.',
  Service: 'The state of this service.',
} as const;

export type Tag = keyof typeof tags;

/**
 * A rate limit of a route. It counts every request, or only requests whose query, as the client sent it, satisfies
 * `when`.
 */
export type Limit =
  | Policy
  | { readonly policy: Policy; readonly when: (query: Readonly<Record<string, unknown>>) => boolean };

/** The parsed value of a request part; undefined for a part without a schema. */
export type Parsed<Schema> = Schema extends ZodType ? z.output<Schema> : undefined;
/** An answer that is already JSON text in UTF-8, in the form of the route's schema. */
export class JsonText {
  constructor(readonly bytes: Buffer) {}
}

/** Wraps a JSON document as an answer. */
export const jsonAnswer = (document: JsonDocument): JsonText | JsonInParts =>
  Buffer.isBuffer(document) ? new JsonText(document) : new JsonInParts(document);

/** The result of a handler's work, and the user of the request. */
export interface Admitted<Result> {
  readonly caller: Caller;
  readonly result: Result;
}

/**
 * Return value of a handler: plain JSON values in the schema's form, their text, a file, or nothing for an answer without
 * a body.
 */
type Answered<Schema> = Schema extends ZodType
  ? z.input<Schema> | JsonText | JsonInParts | Promise<z.input<Schema> | JsonText | JsonInParts>
  : Promise<void> | Promise<FileInParts>;

export interface RouteInput<Path, Query, Headers, Body> {
  /** The user of the request. Absent on public routes, and on routes with `admits` until `admit` resolves. */
  readonly caller: Caller;
  readonly path: Path;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /**
   * Admits the request, unless it is already admitted, and does the handler's work. If possible, one SQL statement does
   * both, at half the cost of two statements.
   * @param together creates work for the statement that reads the key of `uid` and counts the request. null if one
   * statement cannot do the work. The statement must be short, because the user's other requests wait for its end.
   * @param alone does the work of an admitted request that the statement did not do.
   * @throws CochleaError for a refused request.
   */
  readonly admit: <Result>(
    together: (uid: string) => AdmittedWork<Result> | null,
    alone: (caller: Caller) => Promise<Result>,
  ) => Promise<Admitted<Result>>;
}

/** The resource that a path names. */
export interface NamedResource {
  /**
   * Id of the operation whose example request creates a resource of this kind. The answer to that request has the `id`
   * for the path parameter. null if no operation creates the resource, for example because people create it on a page.
   */
  readonly createdBy: string | null;
  /** The path parameter. Default: `id`. */
  readonly parameter?: string;
  /** The field with the id in the creating operation's answer. Default: `id`. */
  readonly field?: string;
  /** Status of the answer to other users. 204 if they must not learn whether the resource exists. */
  readonly foreign: 404 | 204;
}

/** The parts of a route declaration that do not depend on its schemas. */
export interface RouteHead {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with parameters in braces, as in OpenAPI: `/v1/dev/keys/{key_id}`. */
  readonly url: string;
  readonly operationId: string;
  readonly tag: Tag;
  /** One line. The description may have several. */
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Rate limits. Each of them counts the request. */
  readonly limits: readonly Limit[];
  readonly resource?: NamedResource;
  /**
   * Errors of this operation. Does not list errors that credential, rate limits or schemas cause, or that every
   * operation has (500, 503, 504).
   */
  readonly errors?: readonly ErrorCode[];
  /** Values of a valid request. The authorization matrix, the API's description and schemathesis use them. */
  readonly example?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly answer?: unknown;
  };
  /** Maximum bytes of a body. Default: 1 MiB. BODY_LIMIT caps it. */
  readonly bodyLimit?: number;
  /** Maximum ms until the answer. Default: REQUEST_TIMEOUT. */
  readonly timeout?: number;
  /** Whether the body stays text, which the handler parses. */
  readonly textBody?: true;
  /**
   * The name of the form field with the files, and the meaning of a file. The handler reads and limits the form (`receiveFiles`).
   */
  readonly upload?: {
    readonly field: string;
    readonly description: string;
    /** Description of a body that is not a form. Absent if the route accepts only forms. */
    readonly raw?: string;
  };
  /** Description of the answer as an event stream. Absent if the route never sends events. */
  readonly events?: string;
  /**
   * Media types of the answer, if it is a file: the schema of its JSON, or a description. The handler returns
   * `FileInParts`. The route has no `answer`.
   */
  readonly file?: Readonly<Record<string, ZodType | string>>;
  /** Body of errors with codes that begin with `stt_`. Default: the usual error body. */
  readonly failureBody?: ZodType;
  /** Status of the successful answer. Default: 200, or 204 without a body. */
  readonly status?: 202;
  /** Whether requests of pages with unknown origins are refused before anything else. */
  readonly checksOrigin?: true;
  /** `false` omits the operation from the API's description, because the description cannot express it. */
  readonly described?: false;
  /** Further statuses of successful answers. */
  readonly alsoAnswers?: readonly number[];
  /**
   * Whether the request takes no turn among all users' requests. For handlers that mostly wait for another service: a turn would occupy a
   * database connection meanwhile. The handler takes turns (`RouteContext.turns`) for statements that may be slow.
   */
  readonly withoutTurn?: boolean;
  /** Whether the handler calls `admit`. Until that call, the handler must not assume that the request is admitted. */
  readonly admits?: true;
  /** Whether the answer may be sent in parts. */
  readonly inParts?: true;
  /**
   * Maximum bytes of the answer as JSON text, depending on the query. Memory for a possibly large answer is reserved before anything is
   * read. Absent if no answer is large, or if large answers are sent in parts.
   */
  readonly answerBytes?: number | ((query: Readonly<Record<string, unknown>>) => number);
  /** Headers of the answer with their meaning. Rate limit headers need not be listed. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
}

/** A declared route. A schema is undefined if the request has no such part, or if the answer has no body. */
export interface Route extends RouteHead {
  readonly path?: ZodObject;
  readonly query?: ZodObject;
  readonly headers?: ZodObject;
  readonly body?: ZodType;
  /** Schema of the successful answer: 200, or 204 without a schema. */
  readonly answer?: ZodType;
  // biome-ignore lint/suspicious/noExplicitAny: `route` has checked the handler against the schemas
  readonly handle: (input: RouteInput<any, any, any, any>) => unknown;
}

/** Declares a route. Validation, the API's description, its client and the authorization matrix are all made from this declaration. */
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

/** Returns the status of a successful answer. */
export const successStatus = ({
  answer,
  events,
  file,
  status,
}: Pick<Route, 'answer' | 'events' | 'file' | 'status'>): 200 | 202 | 204 =>
  status ?? (answer === undefined && events === undefined && file === undefined ? 204 : 200);

/** Returns the maximum bytes of an answer with as many items as the query requests. @param bytes of the longest item. */
export const answerBytesOf =
  (bytes: number) =>
  ({ limit }: Readonly<Record<string, unknown>>): number =>
    Number(limit) * bytes;

/** Returns every policy that may count a request to the route. */
export const policiesOf = ({ limits }: Pick<Route, 'limits'>): Policy[] =>
  limits.map((limit) => (typeof limit === 'string' ? limit : limit.policy));

import type { FastifyError, FastifyRequest } from 'fastify';
import { CochleaError } from '../../../errors/index.js';
import {
  hasStructuredContent,
  isRevision,
  newestRevision,
  type Revision,
  usualRevision,
} from '../streams/index.js';
import type { Toolbox } from './toolbox.js';

/** The sender of messages, their HTTP request, and the revision of MCP that applies to them. */
export interface Conversation {
  readonly uid: string;
  readonly scopes: readonly string[];
  /** The revision that the session agreed on; null without a session. */
  readonly revision: Revision | null;
  readonly request: FastifyRequest;
  /** Sends warnings, as in `Toolbox`. Absent if the HTTP head of the answer is already sent. */
  readonly warn?: (texts: readonly string[]) => void;
}

/** A well-formed message that needs an answer. */
export interface Received {
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const longestId = 1000;

const invalid = (why: string): CochleaError => new CochleaError('message_invalid', { why });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (id: unknown): id is string | number =>
  typeof id === 'string' ? id.length <= longestId : Number.isSafeInteger(id);

/** The error of a message. The answer contains the id of the message, if the id is valid. */
export class MessageError extends Error {
  constructor(
    readonly answered: CochleaError,
    readonly id: string | number | null = null,
  ) {
    super(answered.message);
  }
}

/**
 * Reads one message.
 * @returns null for a message that gets no answer. Such a message has no id, or it is itself an answer. Answers are
 * ignored, because this server sends no requests.
 * @throws MessageError
 */
export const receivedOf = (message: unknown): Received | null => {
  const refuse = (why: string): never => {
    throw new MessageError(invalid(why));
  };
  if (!isObject(message)) return refuse('A message must be an object');
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0') return refuse('jsonrpc must be "2.0"');
  if (method === undefined && ('result' in message || 'error' in message)) return null;
  if (typeof method !== 'string' || method === '') return refuse('method must be a text');
  // A client that gives no id does not wait for an answer, so no method runs.
  if (id === undefined) return null;
  if (method.startsWith('notifications/')) return refuse('A notification has no id');
  if (!isId(id)) return refuse('id must be a text or an integer');
  const given = params ?? {};
  if (!isObject(given)) {
    throw new MessageError(new CochleaError('validation_failed', { why: 'params must be an object' }), id);
  }
  return { id, method, params: given };
};

/** Whether a method needs a session. */
export const needsSession = ({ method }: Pick<Received, 'method'>): boolean => method.startsWith('tools/');

/**
 * Returns the revision for an `initialize`: the requested revision, or the newest if the requested one is unknown. If none is requested,
 * returns `usualRevision`.
 */
export const askedRevision = ({ params: { protocolVersion } }: Pick<Received, 'params'>): Revision => {
  if (typeof protocolVersion !== 'string') return usualRevision;
  return isRevision(protocolVersion) ? protocolVersion : newestRevision;
};

/** Empty lists by method, for features that this server lacks. Clients request them regardless of the answer to `initialize`. */
const emptyLists: ReadonlyMap<string, string> = new Map([
  ['prompts/list', '{"prompts":[]}'],
  ['resources/list', '{"resources":[]}'],
  ['resources/templates/list', '{"resourceTemplates":[]}'],
]);

/** Returns an answer with a result. @param result JSON text. */
export const resultText = (id: string | number, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

/** Returns an answer with an error. */
export const errorText = (id: string | number | null, error: CochleaError): string => {
  const { challenge } = error.details;
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: {
      code: error.entry.rpc ?? -32603,
      message: error.entry.rpc === undefined ? 'Internal error' : error.message,
      // Tells an assistant which additional access it can request.
      ...(challenge !== undefined && { data: { _meta: { 'mcp/www_authenticate': [challenge] } } }),
    },
  });
};

/** Refuses a cursor, because no list has a second page. @throws CochleaError `validation_failed` */
const refuseCursor = ({ cursor }: Received['params']): void => {
  if (cursor !== undefined && cursor !== null) {
    throw new CochleaError('validation_failed', { why: 'cursor is not valid' });
  }
};

/** Answers messages. The caller has already checked session and user. */
export class MessageAnswerer {
  /**
   * @param known maps an error to an error of the registry. Returns null for an unexpected error.
   */
  constructor(
    private readonly toolbox: Toolbox,
    private readonly known: (error: FastifyError, request: FastifyRequest) => CochleaError | null,
  ) {}

  /** Answers one message with JSON text. Never throws. */
  async answer(message: Received, conversation: Conversation): Promise<string> {
    try {
      return resultText(message.id, await this.#result(message, conversation));
    } catch (error) {
      const { request } = conversation;
      const answered = this.known(error as FastifyError, request);
      if (answered === null) request.log.error({ err: error, method: message.method }, 'message failed');
      return errorText(message.id, answered ?? new CochleaError('internal'));
    }
  }

  async #result({ method, params }: Received, conversation: Conversation): Promise<string> {
    const structured = hasStructuredContent(conversation.revision ?? usualRevision);
    switch (method) {
      case 'ping':
        return '{}';
      case 'initialize':
        return this.toolbox.introduction(askedRevision({ params }));
      case 'tools/list':
        refuseCursor(params);
        return this.toolbox.list(conversation.scopes, structured);
      case 'tools/call':
        return this.toolbox.call(params, conversation, structured);
      default: {
        const list = emptyLists.get(method);
        if (list === undefined) throw new CochleaError('method_unknown');
        refuseCursor(params);
        return list;
      }
    }
  }
}

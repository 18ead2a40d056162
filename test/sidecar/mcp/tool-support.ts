import { type McpScope, scopesOf } from '../../../src/identity/scopes.js';
import { createUser } from '../../../src/identity/users.js';
import { createMcpKey } from '../../support/mcp-key.js';
import type { Answer, Api } from '../support.js';

export const endpoint = '/v1/mcp/sse';

/** Returns a JSON-RPC request. */
export const message = (method: string, params?: unknown, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});

/** A user with a key for the tool server and an open session. */
export interface Assistant {
  readonly uid: string;
  readonly key: string;
  readonly session: string;
  /** Sends a message, or a batch of messages, in the session. */
  send(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Calls a tool and returns its answer. @throws Error if the tool returns an error. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the answer that it reads
  call(tool: string, given?: object): Promise<any>;
  /** Calls a tool and returns the code of its error. @throws Error if the call succeeds. */
  refused(tool: string, given?: object): Promise<number>;
}

let users = 0;

/** Makes a key with these scopes and opens a session of this revision. Makes a new user unless `uid` names one. */
export const assistant = async (
  api: Api,
  {
    uid,
    scopes = scopesOf.mcp as readonly McpScope[],
    revision = '2025-03-26',
  }: { uid?: string; scopes?: readonly McpScope[]; revision?: string } = {},
): Promise<Assistant> => {
  const user = uid ?? (await createUser(api.sql, { uid: `assisted-${++users}`, name: 'Ann' })).uid;
  const { key } = await createMcpKey(api.sql, api.settings, user, scopes);
  const opened = await api.call(endpoint, {
    credential: key,
    body: message('initialize', { protocolVersion: revision }),
  });
  const session = opened.headers.get('mcp-session-id')!;
  const send = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    api.call(endpoint, { credential: key, body, headers: { 'mcp-session-id': session, ...headers } });
  const ask = async (tool: string, given: object = {}) =>
    (await send(message('tools/call', { name: tool, arguments: given }))).body;
  return {
    uid: user,
    key,
    session,
    send,
    async call(tool, given) {
      const { result, error } = await ask(tool, given);
      if (error) throw new Error(`${tool}: ${error.code} ${error.message}`);
      return JSON.parse(result.content[0].text);
    },
    async refused(tool, given) {
      const { result, error } = await ask(tool, given);
      if (!error) throw new Error(`${tool} answered ${JSON.stringify(result)}`);
      return error.code;
    },
  };
};

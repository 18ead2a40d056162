import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { loadSettings } from '../../src/config/load-settings.js';
import { createApiKey } from '../../src/identity/api-keys.js';
import { scopesOf } from '../../src/identity/scopes.js';
import { createUser } from '../../src/identity/users.js';
import { createMemories } from '../../src/service/records/memories.js';
import type { Sql } from '../../src/store/client/database.js';
import type { PreparedRequest } from '../rest/operations.js';

const endpoint = '/v1/mcp/sse';
const revision = '2025-11-25';
const atOnce = 4;
/** Number of calls whose answers from both servers are compared. */
const compared = 20;
/**
 * Number of calls that are prepared for each session, each with its own id. If two calls with the same id run at the
 * same time, the peer never answers the first.
 */
const idsOfSession = 50;

/** Creates users with memories. @returns one API key for each user, with every scope. */
export const seedAssistants = async (sql: Sql, users: number, memories: number): Promise<string[]> => {
  const settings = loadSettings({}).values;
  const seed = async (index: number): Promise<string> => {
    const { uid } = await createUser(sql, { uid: `user-${index}` });
    const contents = Array.from({ length: memories }, (_, number) => ({
      content: `Takes the train at ${number % 24}:05, reads on the way and gets off at stop ${number}`,
      category: 'habits',
      tags: ['travel', 'morning'],
    }));
    await createMemories(sql, uid, 'developer', contents);
    const made = { uid, name: 'bench', family: 'mcp', scopes: scopesOf.mcp } as const;
    return (await createApiKey(sql, settings, made)).key;
  };
  const keys = await pLimit(atOnce).map(Array(users).keys(), seed);
  // The tables are vacuumed and analyzed now. Otherwise autovacuum would run during the measurement.
  await sql`vacuum (analyze)`;
  return keys;
};

const post = (key: string, message: object, headers: object = {}): PreparedRequest => ({
  method: 'POST',
  path: endpoint,
  // These are the headers that the official client sends.
  headers: {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  },
  body: JSON.stringify({ jsonrpc: '2.0', ...message }),
});

const send = (url: string, { method, path, headers, body }: PreparedRequest): Promise<Response> =>
  fetch(url + path, { method, headers, body });

/**
 * Opens a session for each key.
 * @returns calls of `get_memories`. Successive calls belong to different sessions.
 */
export const callsOf = async (url: string, keys: readonly string[]): Promise<PreparedRequest[]> => {
  const sessions = await pLimit(atOnce).map(keys, async (key) => {
    const params = {
      protocolVersion: revision,
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    };
    const opened = await send(url, post(key, { id: 0, method: 'initialize', params }));
    await opened.arrayBuffer();
    const session = opened.headers.get('mcp-session-id');
    if (!opened.ok || session === null) throw new Error(`initialize was answered ${opened.status}`);
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': revision };
    const ready = await send(url, post(key, { method: 'notifications/initialized' }, headers));
    await ready.arrayBuffer();
    return { key, headers };
  });
  const params = { name: 'get_memories', arguments: {} };
  return Array.from({ length: idsOfSession }, (_, id) =>
    sessions.map(({ key, headers }) => post(key, { id: id + 1, method: 'tools/call', params }, headers)),
  ).flat();
};

/** Sends a call and returns its result, which is in the only event of the answer. */
const resultOf = async (url: string, request: PreparedRequest): Promise<unknown> => {
  const answer = await send(url, request);
  const text = await answer.text();
  const [, data] = /^data: (.*)$/m.exec(text) ?? [];
  const { result } = JSON.parse(data ?? '{}') as {
    result?: { structuredContent?: { memories?: unknown[] } };
  };
  if (!result?.structuredContent?.memories?.length) {
    throw new Error(`get_memories was answered ${answer.status} ${text.slice(0, 1500)}`);
  }
  return result;
};

/**
 * Makes the same calls to two servers and compares their results.
 * @returns the number of compared calls.
 * @throws Error that shows the first results that differ.
 */
export const compareCalls = async (
  [one, other]: readonly [string, string],
  [calls, otherCalls]: readonly [readonly PreparedRequest[], readonly PreparedRequest[]],
): Promise<number> => {
  const count = Math.min(compared, calls.length);
  for (let index = 0; index < count; index++) {
    const results = [await resultOf(one, calls[index]!), await resultOf(other, otherCalls[index]!)];
    if (isDeepStrictEqual(results[0], results[1])) continue;
    const shown = results.map((result) => JSON.stringify(result).slice(0, 1500)).join('\n');
    throw new Error(`get_memories is answered differently:\n${shown}`);
  }
  return count;
};

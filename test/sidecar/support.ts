import type { Test } from 'tap';
import { loadSettings, type Settings } from '../../src/config/index.js';
import { createApiKey, createUser, type DeveloperScope, issueIdToken } from '../../src/identity/index.js';
import { createLogger, type Logger } from '../../src/log/index.js';
import { startSidecar } from '../../src/sidecar/index.js';
import type { Sql } from '../../src/store/database.js';
import { testDatabase } from '../support/database.js';
import { testSecret } from '../support/issuer-secret.js';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the JSON answer that it reads
  readonly body: any;
  readonly headers: Headers;
}

export interface Request {
  readonly method?: string;
  readonly credential?: string | null;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads the head of the answer only, of one that does not end. */
  readonly headOnly?: boolean;
}

export interface Person {
  readonly uid: string;
  readonly token: string;
  readonly key: string;
}

export interface Api {
  readonly base: string;
  readonly sql: Sql;
  readonly url: string;
  readonly settings: Settings;
  call(path: string, request?: Request): Promise<Answer>;
  /** A new user with an ID token and a developer key of these scopes. */
  person(scopes?: readonly DeveloperScope[] | null, name?: string): Promise<Person>;
}

const readAndWrite: readonly DeveloperScope[] = ['conversations:read', 'conversations:write'];

/** Settings as an operator's environment makes them, on a free port and without rate limits in the way. */
export const testSettings = (environment: Readonly<Record<string, string>> = {}): Settings =>
  loadSettings({
    SIDECAR_PORT: '0',
    RATE_LIMIT_BOOST: '1000',
    ISSUER_SECRET: testSecret,
    SENTENCE_MODEL: 'none',
    ...environment,
  }).values;

interface Started {
  readonly settings: Settings;
  readonly url: string;
  readonly sql: Sql;
}

let users = 0;

/** A sidecar on a database, closed after the test. */
const startOn = async (t: Test, { settings, url, sql }: Started, log: Logger): Promise<Api> => {
  const sidecar = await startSidecar({ settings, databaseUrl: url, log, checkAnswers: true });
  t.teardown(() => sidecar.close());
  const base = `http://127.0.0.1:${sidecar.port}`;
  return {
    base,
    sql,
    url,
    settings,
    async call(path, { method, credential, body, headers, headOnly } = {}) {
      const answer = await fetch(base + path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(credential ? { authorization: `Bearer ${credential}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      });
      if (headOnly) {
        await answer.body?.cancel();
        return { status: answer.status, headers: answer.headers, body: null };
      }
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') === true;
      return {
        status: answer.status,
        headers: answer.headers,
        body: isJson && text !== '' ? JSON.parse(text) : text,
      };
    },
    async person(scopes = readAndWrite, name = 'Ann') {
      const { uid } = await createUser(sql, { uid: `user-${++users}`, name });
      const { key } = await createApiKey(sql, settings, { uid, name: 'test', scopes });
      return { uid, token: await issueIdToken(sql, settings, uid), key };
    },
  };
};

const silent = createLogger('test', 'silent');

/** A sidecar on a database of its own, closed after the test. */
export const startApi = async (
  t: Test,
  environment: Readonly<Record<string, string>> = {},
  log: Logger = silent,
): Promise<Api> => {
  const { url, sql } = await testDatabase(t);
  return startOn(t, { settings: testSettings(environment), url, sql }, log);
};

/** Another sidecar on the same database. */
export const startAnother = (
  t: Test,
  { url, sql }: Api,
  environment: Readonly<Record<string, string>> = {},
): Promise<Api> => startOn(t, { settings: testSettings(environment), url, sql }, silent);

export const fromSegments = '/v1/dev/user/conversations/from-segments';
export const conversations = '/v1/dev/user/conversations';

/** One segment of a request body. */
export const said = (text: string, start = 0, end = start + 2, more: object = {}): object => ({
  text,
  start,
  end,
  ...more,
});

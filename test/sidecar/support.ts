import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openVoiceWork } from '../../src/app/services/voice-work.js';
import { createRecordingDecoder } from '../../src/audio/recording/recording-decoder.js';
import { loadSettings } from '../../src/config/load-settings.js';
import type { Settings } from '../../src/config/settings.js';
import { createApiKey } from '../../src/identity/api-keys.js';
import { createConsoleLink, enterConsole } from '../../src/identity/console-sessions.js';
import type { DeveloperScope } from '../../src/identity/scopes.js';
import { issueIdToken } from '../../src/identity/token-issuer.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger, type Logger } from '../../src/log/logger.js';
import type { RecordingWork } from '../../src/pipeline/words/recordings.js';
import { openRecordingFiles } from '../../src/service/recordings/recording-files.js';
import type { EnrolmentWork } from '../../src/service/voice/enrolment-work.js';
import type { VoiceWork } from '../../src/service/voice/voice-work.js';
import { startSidecar } from '../../src/sidecar/start-sidecar.js';
import type { Sql } from '../../src/store/client/database.js';
import type { ProcessClocks } from '../../src/store/clock/measure-offset.js';
import { testDatabase } from '../support/database/database.js';
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
  /** Body of the request. Strings, bytes and forms are sent unchanged. Other values are sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
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
  readonly recordings: RecordingWork;
  call(path: string, request?: Request): Promise<Answer>;
  /** Makes a user with an ID token and a developer key. Null gives the key the default scopes. */
  person(scopes?: readonly DeveloperScope[] | null, name?: string): Promise<Person>;
}

const readAndWrite: readonly DeveloperScope[] = ['conversations:read', 'conversations:write'];

/**
 * Loads settings from variables, as for an operator. Defaults: any free port, rate limits multiplied by 1000, no
 * sentence model.
 */
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
  /** Transcribes recordings. Default: no transcriber is available. */
  readonly transcription?: RecordingWork['transcription'];
  /** Makes voice profiles. Null disables them. Default: accepts any recording, without a model. */
  readonly enrolment?: EnrolmentWork | null;
  /** Clocks of the sidecar's machine. */
  readonly clocks?: Partial<ProcessClocks>;
}

let users = 0;

/** A fake without a transcriber. Uploaded recordings wait for one. */
const away: RecordingWork['transcription'] = {
  transcribe: async () => ({ outcome: 'config_error', text: '', provider: 'local', waited: 0, decoded: 0 }),
  close: async () => undefined,
};

/** A fake that accepts any recording as 20 s of speech and returns a fixed embedding. */
export const anyVoice: Pick<EnrolmentWork, 'model' | 'leastSpeech' | 'embed'> = {
  model: 'ge2e',
  leastSpeech: 4000,
  embed: async () => ({ speech: 20_000, embeddings: [new Float32Array(256).fill(1 / 16)] }),
};

/** Opens recording storage in a new folder, with a decoder. Both are removed after the test. */
export const recordingsOf = async (
  t: Pick<Test, 'teardown'>,
  settings: Settings,
  transcription: RecordingWork['transcription'],
): Promise<RecordingWork> => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-recordings-'));
  const decoder = createRecordingDecoder(settings, settings.recordingLength);
  t.teardown(async () => {
    await decoder.close();
    await rm(folder, { recursive: true });
  });
  const files = await openRecordingFiles(folder, undefined);
  return { files, moveEarlier: null, decoder, transcription, speakerLanguages: () => ['en', 'fr'] };
};

/** Opens the processing of voice messages in a new folder. Both are removed after the test. */
export const voiceOf = async (
  t: Pick<Test, 'teardown'>,
  settings: Settings,
  transcription: RecordingWork['transcription'],
): Promise<VoiceWork> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-voice-'));
  const voice = openVoiceWork({ ...settings, dataDir }, transcription, silent)!;
  t.teardown(async () => {
    await voice.close();
    await rm(dataDir, { recursive: true });
  });
  return voice;
};

/** Returns the form of an upload, with file contents by file name. */
export const uploadForm = (files: Readonly<Record<string, Uint8Array>>): FormData => {
  const form = new FormData();
  for (const [name, bytes] of Object.entries(files))
    form.append('files', new Blob([Buffer.from(bytes)]), name);
  return form;
};

/** Returns an upload of 20 ms of silence, for requests that need any recording. */
export const silentUpload = (): FormData => {
  const file = Buffer.alloc(4 + 640);
  file.writeUInt32LE(640);
  return uploadForm({ 'audio_pendant_pcm16_16000_1_1767225600.bin': file });
};

/** Starts a sidecar on a database. The sidecar closes after the test. */
const startOn = async (
  t: Test,
  { settings, url, sql, transcription = away, enrolment, clocks = {} }: Started,
  log: Logger,
): Promise<Api> => {
  const recordings = await recordingsOf(t, settings, transcription);
  const voice = await voiceOf(t, settings, transcription);
  const pretended = { ...voice, ...anyVoice, longest: settings.voiceProfileLength };
  const sidecar = await startSidecar({
    settings,
    databaseUrl: url,
    log,
    recordings,
    voice,
    enrolment: enrolment === undefined ? pretended : enrolment,
    clocks,
    checkAnswers: true,
  });
  t.teardown(() => sidecar.close());
  const base = `http://127.0.0.1:${sidecar.port}`;
  return {
    base,
    sql,
    url,
    settings,
    recordings,
    async call(path, { method, credential, body, headers } = {}) {
      const answer = await fetch(base + path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(credential ? { authorization: `Bearer ${credential}` } : {}),
          ...(body === undefined || body instanceof FormData || body instanceof Uint8Array
            ? {}
            : { 'content-type': 'application/json' }),
          ...headers,
        },
        body:
          body === undefined ||
          typeof body === 'string' ||
          body instanceof FormData ||
          body instanceof Uint8Array
            ? (body as string | FormData | Uint8Array<ArrayBuffer> | undefined)
            : JSON.stringify(body),
      });
      const text = await answer.text();
      const isJson = /^application\/json\b/.test(answer.headers.get('content-type') ?? '');
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

/** Starts a sidecar on a new database. The sidecar closes after the test. */
export const startApi = async (
  t: Test,
  environment: Readonly<Record<string, string>> = {},
  log: Logger = silent,
  transcription = away,
  enrolment?: EnrolmentWork | null,
): Promise<Api> => {
  const { url, sql } = await testDatabase(t);
  return startOn(t, { settings: testSettings(environment), url, sql, transcription, enrolment }, log);
};

/** Starts a sidecar on a migrated database of the test. The sidecar closes after the test. */
export const startOnDatabase = (
  t: Test,
  url: string,
  sql: Sql,
  clocks: Partial<ProcessClocks> = {},
): Promise<Api> => startOn(t, { settings: testSettings(), url, sql, clocks }, silent);

/** Starts another sidecar on the database of `api`. It closes after the test. */
export const startAnother = (
  t: Test,
  { url, sql }: Api,
  environment: Readonly<Record<string, string>> = {},
  transcription = away,
): Promise<Api> => startOn(t, { settings: testSettings(environment), url, sql, transcription }, silent);

/**
 * Returns the headers with which a page of the console sends a request.
 * @param cookie value of the session's cookie; absent for a browser without a session.
 */
export const consoleHeaders = ({ base }: Pick<Api, 'base'>, cookie?: string): Record<string, string> => ({
  origin: base,
  'sec-fetch-site': 'same-origin',
  'x-cochlea-console': '1',
  ...(cookie !== undefined && { cookie: `cochlea_console=${cookie}` }),
});

/** Begins a session of a user at the console. @returns the value of its cookie. */
export const consoleSession = async (sql: Sql, uid: string): Promise<string> =>
  (await enterConsole(sql, (await createConsoleLink(sql, uid)).secret)).cookie;

export const fromSegments = '/v1/dev/user/conversations/from-segments';
export const conversations = '/v1/dev/user/conversations';

/** Returns a segment for a request body. `start` and `end` are in seconds. */
export const said = (text: string, start = 0, end = start + 2, more: object = {}): object => ({
  text,
  start,
  end,
  ...more,
});

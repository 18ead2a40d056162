/**
 * Runs schemathesis against a sidecar with its own database: `npm run schemathesis`. It fails if schemathesis finds
 * anything, if any answer is a 500, or if an operation never succeeded. Arguments are passed on to `st run`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { loadSettings } from '../../src/config/load-settings.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { createApiKey } from '../../src/identity/api-keys.js';
import { developerScopes } from '../../src/identity/scopes.js';
import { issueIdToken } from '../../src/identity/token-issuer.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import type { RecordingWork } from '../../src/pipeline/words/recordings.js';
import { undeployedRoutes } from '../../src/sidecar/authorization-page.js';
import { startSidecar } from '../../src/sidecar/start-sidecar.js';
import {
  enrolmentPath,
  uploadPath,
  voiceChatPath,
  voiceTranscriptionPath,
} from '../../src/wire/upload-path.js';
import { anyVoice, recordingsOf, silentUpload, voiceOf } from '../sidecar/support.js';
import { testDatabase } from '../support/database/database.js';
import { testSecret } from '../support/issuer-secret.js';
import { createMcpKey } from '../support/mcp-key.js';
import { until } from '../support/until.js';

const folder = join(packageDirectory(), 'test', 'schemathesis');
const environment = join(packageDirectory(), 'build', 'schemathesis');
const requirements = join(folder, 'requirements.txt');

/** Makes the Python environment from the requirements, once. */
const install = (): void => {
  const stamp = join(environment, 'installed.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  mkdirSync(environment, { recursive: true });
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  run('python3', '-m', 'venv', '--clear', environment);
  run(join(environment, 'bin', 'pip'), 'install', '--quiet', '--requirement', requirements);
  writeFileSync(stamp, wanted);
};

/** Operations that are excluded because they would revoke the ID token of all requests. */
const excluded = ['deleteAccount', 'signOutEverywhere'];

const closing: (() => unknown)[] = [];
const teardown = { teardown: (action: () => unknown) => void closing.unshift(action) };

/** A fake transcription service that always returns the same text. */
const transcription: RecordingWork['transcription'] = {
  transcribe: async () => ({
    outcome: 'success',
    text: 'A few words.',
    provider: 'local',
    waited: 0,
    decoded: 0,
  }),
  close: async () => undefined,
};

/** Sends valid audio, because random bytes are hardly ever valid and no schema describes audio. @returns the id of an upload. */
const sendAudio = async (base: string, idToken: string): Promise<string> => {
  const send = (path: string, body: FormData | Buffer, type?: string) =>
    fetch(base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, ...(type ? { 'content-type': type } : {}) },
      body: body as FormData,
    });
  const tone = Buffer.from(Int16Array.from({ length: 16_000 }, (_, n) => 8000 * Math.sin(n / 4)).buffer);
  const spoken = await send(voiceTranscriptionPath, tone, 'application/octet-stream');
  await spoken.arrayBuffer();
  await (await send(enrolmentPath, silentUpload())).arrayBuffer();
  await (await send(voiceChatPath, silentUpload())).arrayBuffer();
  const upload = await send(uploadPath, silentUpload());
  const { job_id: job } = (await upload.json()) as { job_id: string };
  const read = await fetch(`${base}${uploadPath}/${job}`, {
    headers: { authorization: `Bearer ${idToken}` },
  });
  await read.arrayBuffer();
  return job;
};

/** Makes a folder that a request deletes. @returns its id */
const makeFolder = async (base: string, idToken: string): Promise<string> => {
  const made = await fetch(`${base}/v1/folders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Short-lived' }),
  });
  return ((await made.json()) as { id: string }).id;
};

/** Operations with the path pattern of their URLs. */
const operations = undeployedRoutes()
  .filter(({ described }) => described !== false)
  .map(({ operationId, method, url }) => ({
    operationId,
    method,
    path: new RegExp(`^${url.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

const succeeded = new Set<string>();
const serverErrors = new Map<string, number>();
subscribe('http.server.response.finish', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const path = (request.url ?? '').split('?')[0]!;
  const asked = operations.find((known) => known.method === request.method && known.path.test(path));
  if (asked && response.statusCode < 300) succeeded.add(asked.operationId);
  if (response.statusCode >= 500) {
    const what = `${response.statusCode} ${request.method} ${asked?.operationId ?? path}`;
    serverErrors.set(what, (serverErrors.get(what) ?? 0) + 1);
  }
});

const main = async (): Promise<boolean> => {
  install();
  const { url, sql } = await testDatabase(teardown);
  const settings = loadSettings({
    SIDECAR_PORT: '0',
    RATE_LIMIT_BOOST: '1000000',
    MAX_KEYS_PER_USER: '100000',
    ISSUER_SECRET: testSecret,
  }).values;
  const log = createLogger('schemathesis', 'error');
  const recordings = await recordingsOf(teardown, settings, transcription);
  const voice = await voiceOf(teardown, settings, transcription);
  const sidecar = await startSidecar({
    settings,
    databaseUrl: url,
    log,
    recordings,
    voice,
    enrolment: { ...voice, ...anyVoice, longest: settings.voiceProfileLength },
    checkAnswers: true,
  });
  closing.unshift(() => sidecar.close());
  const base = `http://127.0.0.1:${sidecar.port}`;
  await until(async () => (await fetch(`${base}/health/ready`)).ok, 'the service is ready');

  // After this, only answers to schemathesis and to valid audio count.
  succeeded.clear();
  serverErrors.clear();
  const { uid } = await createUser(sql, { uid: 'developer', name: 'Ann Example' });
  const { key } = await createApiKey(sql, settings, { uid, name: 'test', scopes: developerScopes });
  const assistant = await createMcpKey(sql, settings, uid);
  // The sign-in uses another user, so that signing out cannot revoke the key of the requests.
  const { uid: signedIn } = await createUser(sql, { uid: 'signed-in', name: 'Ben Example' });
  const rotated = await createMcpKey(sql, settings, signedIn);
  const conversationOf = async (owner: string): Promise<string> => {
    const [conversation] = await sql<{ id: string }[]>`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured)
      values (gen_random_uuid(), ${owner}, 'completed', 'phone', now(), now(), '{}') returning id`;
    return conversation!.id;
  };
  const conversation = await conversationOf(signedIn);
  const deletable = await conversationOf(uid);
  const idToken = await issueIdToken(sql, settings, signedIn);
  const upload = await sendAudio(base, idToken);
  const madeFolder = await makeFolder(base, idToken);
  const tester: ChildProcess = spawn(
    join(environment, 'bin', 'st'),
    [
      ...['--config-file', join(folder, 'schemathesis.toml'), 'run', `${base}/openapi.json`, '--url', base],
      ...excluded.flatMap((operationId) => ['--exclude-operation-id', operationId]),
      ...process.argv.slice(2),
    ],
    {
      cwd: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        DEVELOPER_KEY: key,
        MCP_KEY: assistant.key,
        MCP_KEY_ID: rotated.record.id,
        CONVERSATION_ID: conversation,
        DELETED_CONVERSATION_ID: deletable,
        UPLOAD_ID: upload,
        FOLDER_ID: madeFolder,
        ID_TOKEN: idToken,
      },
    },
  );
  const [code] = (await once(tester, 'exit')) as [number | null];
  const never = operations.filter(
    ({ operationId }) => !succeeded.has(operationId) && !excluded.includes(operationId),
  );
  for (const { operationId } of never) process.stdout.write(`never answered with success: ${operationId}\n`);
  for (const [what, count] of serverErrors) process.stdout.write(`${what}: ${count} times\n`);
  if (code !== 0) process.stdout.write(`schemathesis ended with ${code}\n`);
  const failed = never.length + serverErrors.size + (code === 0 ? 0 : 1);
  process.stdout.write(`${succeeded.size} passed, ${failed} failed\n`);
  return failed === 0;
};

let passed = false;
try {
  passed = await main();
} finally {
  for (const close of closing) await close();
}
process.exitCode = passed ? 0 : 1;

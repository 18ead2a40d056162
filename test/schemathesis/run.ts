/**
 * Runs schemathesis against a sidecar with its own database: `npm run schemathesis`. It tests the public API and, at the
 * same time, the interface of the console. It fails if schemathesis finds anything, if any answer is a 500, or if an
 * operation never succeeded. Arguments are passed on to `st run`.
 */
import { execFileSync, spawn } from 'node:child_process';
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
import { undeployedConsole, undeployedRoutes } from '../../src/sidecar/authorization-page.js';
import { startSidecar } from '../../src/sidecar/start-sidecar.js';
import {
  enrolmentPath,
  uploadPath,
  voiceChatPath,
  voiceTranscriptionPath,
} from '../../src/wire/upload-path.js';
import { anyVoice, recordingsOf, silentUpload, voiceOf } from '../sidecar/support.js';
import { testDatabase } from '../support/database/database.js';
import { fewWords } from '../support/few-words.js';
import { testSecret } from '../support/issuer-secret.js';
import { createMcpKey } from '../support/mcp-key.js';
import { until } from '../support/until.js';
import { makeConsoleData } from './console-data.js';

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

/**
 * Operations that need not succeed, each with the reason. The run does not call those of the public API (`excluded`).
 */
const exceptions: Readonly<Record<string, string>> = {
  deleteAccount: 'revokes the ID token of all requests',
  signOutEverywhere: 'revokes the ID token of all requests',
  consoleDescribe: 'is no part of the description that it answers',
};
const excluded = ['deleteAccount', 'signOutEverywhere'];

/** The operation that ends the session of its own requests. It gets a separate session and a separate run. */
const ending = 'consoleSignOut';

const closing: (() => unknown)[] = [];
const teardown = { teardown: (action: () => unknown) => void closing.unshift(action) };

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

const parametersIn = (url: string): number => url.split('{').length;

/** Operations with the path pattern of their URLs. Those without parameters come first, because they match no other path. */
const operations = [...undeployedRoutes(), ...undeployedConsole()]
  .filter(({ described }) => described !== false)
  .sort((a, b) => parametersIn(a.url) - parametersIn(b.url))
  .map(({ operationId, method, url }) => ({
    operationId,
    method,
    path: new RegExp(`^${url.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

const succeeded = new Set<string>();
let cases = 0;
const serverErrors = new Map<string, number>();
subscribe('http.server.response.finish', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const path = (request.url ?? '').split('?')[0]!;
  const asked = operations.find((known) => known.method === request.method && known.path.test(path));
  cases++;
  if (asked && response.statusCode < 300) succeeded.add(asked.operationId);
  if (response.statusCode >= 500) {
    const what = `${response.statusCode} ${request.method} ${asked?.operationId ?? path}`;
    serverErrors.set(what, (serverErrors.get(what) ?? 0) + 1);
  }
});

/**
 * Runs schemathesis, and prints its output when it has ended.
 * @param config file of its settings, which may name the `values`.
 * @returns its exit code; null if it was killed.
 */
const testWith = async (
  config: string,
  args: readonly string[],
  values: Readonly<Record<string, string>>,
): Promise<number | null> => {
  const tester = spawn(
    join(environment, 'bin', 'st'),
    ['--config-file', join(folder, config), 'run', ...args, ...process.argv.slice(2)],
    { cwd: environment, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...values } },
  );
  const said: Buffer[] = [];
  tester.stdout.on('data', (part: Buffer) => said.push(part));
  const [code] = (await once(tester, 'close')) as [number | null];
  process.stdout.write(Buffer.concat(said));
  return code;
};

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
  const recordings = await recordingsOf(teardown, settings, fewWords);
  const voice = await voiceOf(teardown, settings, fewWords);
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

  const { uid } = await createUser(sql, { uid: 'developer', name: 'Ann Example' });
  const { key } = await createApiKey(sql, settings, { uid, name: 'test', scopes: developerScopes });
  const assistant = await createMcpKey(sql, settings, uid);
  // The sign-in uses a second user, so that signing out cannot revoke the key of the requests.
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
  const madeFolder = await makeFolder(base, idToken);
  const console = await makeConsoleData(base, sql);
  const described = join(environment, 'console.json');
  writeFileSync(described, JSON.stringify(console.description));
  // Forgets the operations that the preparation used. From here on, only answers to schemathesis and to valid audio
  // count.
  succeeded.clear();
  serverErrors.clear();
  cases = 0;
  const upload = await sendAudio(base, idToken);
  const imported = await sendAudio(base, await issueIdToken(sql, settings, 'browsing'));
  const ofConsole = [described, '--url', base];
  const values = { ...console.environment, IMPORT: imported };
  const codes = await Promise.all([
    testWith(
      'schemathesis.toml',
      [
        ...[`${base}/openapi.json`, '--url', base],
        ...excluded.flatMap((operationId) => ['--exclude-operation-id', operationId]),
      ],
      {
        DEVELOPER_KEY: key,
        MCP_KEY: assistant.key,
        MCP_KEY_ID: rotated.record.id,
        CONVERSATION_ID: conversation,
        DELETED_CONVERSATION_ID: deletable,
        UPLOAD_ID: upload,
        FOLDER_ID: madeFolder,
        ID_TOKEN: idToken,
      },
    ),
    testWith('console.toml', [...ofConsole, '--exclude-operation-id', ending], values),
    testWith('console.toml', [...ofConsole, '--include-operation-id', ending], {
      ...values,
      SESSION: console.endedSession,
    }),
  ]);
  const never = operations.filter(
    ({ operationId }) => !succeeded.has(operationId) && !(operationId in exceptions),
  );
  for (const { operationId } of never) process.stdout.write(`never answered with success: ${operationId}\n`);
  for (const [what, count] of serverErrors) process.stdout.write(`${what}: ${count} times\n`);
  for (const [operationId, reason] of Object.entries(exceptions))
    process.stdout.write(`may fail: ${operationId}, because it ${reason}\n`);
  process.stdout.write(`${operations.length} operations, ${cases} requests\n`);
  const ended = codes.filter((code) => code !== 0);
  for (const code of ended) process.stdout.write(`schemathesis ended with ${code}\n`);
  const failed = never.length + serverErrors.size + ended.length;
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

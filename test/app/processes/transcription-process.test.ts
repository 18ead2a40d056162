/**
 * Tests `cochlea transcriber`: there is one per data folder. A client starts it when none answers. It ends when no
 * process uses it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { transcriptionSocket, transcriptionStarter } from '../../../src/app/services/join-transcription.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { modelsDirectory } from '../../../src/models/directory.js';
import { connectTranscription } from '../../../src/stt/service/connect.js';
import { openFolder } from '../../support/folder.js';
import { allProcesses } from '../../support/service.js';
import { until } from '../../support/until.js';

const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));
const log = createLogger('test', 'silent');
process.env.COCHLEA_MODELS_DIR = modelsDirectory(loadSettings().values);

interface Run {
  readonly child: ChildProcess;
  said(): string;
  readonly ended: Promise<unknown[]>;
}

const run = (t: Test, dataDir: string, ...args: readonly string[]): Run => {
  const child = spawn(process.execPath, [command, 'transcriber', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, COCHLEA_DATA_DIR: dataDir, LOG_LEVEL: 'info' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, said: () => said, ended };
};

const isReady = ({ said }: Run): boolean => said().includes('transcription service is ready');

t.test('runs one process per data folder and replaces a killed one', { timeout: 120_000 }, async (t) => {
  const dataDir = openFolder(t);
  const pair = [run(t, dataDir, '--while-used'), run(t, dataDir, '--while-used')];
  const first = await until(() => pair.find(isReady), 'one of two is ready');
  const other = pair.find((one) => one !== first)!;
  t.same(await other.ended, [0, null], 'the other leaves quietly');
  // The transcriber keeps running while a client is connected.
  const client = connectTranscription({ socket: transcriptionSocket(dataDir), log });
  t.teardown(() => client.close());
  const ask = () =>
    client.transcribe({
      user: 'u',
      stream: 's',
      language: 'en',
      pcm: new Int16Array(8000),
      priority: 'voice',
    });
  t.match(await ask(), { outcome: 'empty_unexpected' });
  const refused = run(t, dataDir);
  const [code] = await refused.ended;
  t.equal(code, 1);
  t.match(refused.said(), new RegExp(`already runs on .*process ${first.child.pid}\\)`));
  first.child.kill('SIGKILL');
  await first.ended;
  const next = run(t, dataDir);
  t.match(
    await ask(),
    { outcome: 'empty_unexpected' },
    `another takes the socket that was left ${next.said()}`,
  );
  next.child.kill('SIGTERM');
  t.same(await next.ended, [0, null]);
});

t.test('a client starts the process if none answers, and an unused process ends', async (t) => {
  const dataDir = openFolder(t);
  t.equal(transcriptionStarter({ dataDir, transcriberStart: 'join' }, log), undefined);
  const start = transcriptionStarter({ dataDir, transcriberStart: 'auto' }, log);
  const socket = transcriptionSocket(dataDir);
  const clients = [1, 2].map(() => connectTranscription({ socket, log, start }));
  // Transcribers of other tests have a different data folder in their environment.
  const isOurs = (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`COCHLEA_DATA_DIR=${dataDir}\0`);
    } catch {
      return false;
    }
  };
  const of = (): number[] =>
    allProcesses()
      .filter(({ pid, command: words }) => words.includes('cochlea.js transcriber') && isOurs(pid))
      .map(({ pid }) => pid);
  t.teardown(() => {
    for (const pid of of()) process.kill(pid, 'SIGKILL');
  });
  const results = clients.map((client) =>
    client.transcribe({
      user: 'u',
      stream: 's',
      language: 'en',
      pcm: new Int16Array(8000),
      priority: 'live',
    }),
  );
  for (const { outcome } of await Promise.all(results)) t.equal(outcome, 'empty_unexpected');
  const [pid] = of();
  t.ok(pid);
  await clients[0]!.close();
  await clients[1]!.close();
  t.ok(await until(() => !of().includes(pid!), 'it ends'));
});

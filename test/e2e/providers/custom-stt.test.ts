/**
 * Tests a custom transcription service with the complete product. The service follows its rules, and the words that a client relays appear
 * in its conversation.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { endChild, lineOf } from '../../../bench/fleet/child-process.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { startService } from '../../support/service.js';

const command = fileURLToPath(new URL('../../../src/app/cochlea.js', import.meta.url));
const file = `${packageDirectory()}/fixtures/speech/sense_and_sensibility_01_austen_64kb-0870.wav`;

t.test('a custom service is checked, and its words are relayed', { timeout: 240_000 }, async (t) => {
  const service = await startService(t);
  const server = spawn(process.execPath, [command, 'stt-server', '--port', '0'], {
    env: { ...process.env, COCHLEA_DATA_DIR: service.dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  t.teardown(() => endChild(server, 10_000));
  const [url] = await lineOf(server, /^ws:\/\/127\.0\.0\.1:\d+$/, 60_000);
  const checked = await service.cochlea('stt-check', url, '--pace', 'max', '--timeout', '120', '--json');
  const results = checked
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { rule: string; result: string });
  t.same(
    results.filter(({ result }) => result !== 'pass').map(({ rule }) => rule),
    ['idle'],
    'which takes too long, all others pass',
  );
  const { token } = await service.user('relayer');
  await t.rejects(
    service.cochlea('listen', file, '--url', service.base, '--token', token, '--language', 'multi'),
    /closed with code 1008: The language is not supported, multi/,
    'a stream that is closed says why',
  );
  const told = await service.cochlea(
    ...['listen', file, '--url', service.base, '--token', token, '--stt', url, '--pace', '4', '--json'],
  );
  const messages = told
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  const segments = messages.flatMap((message) => (Array.isArray(message) ? (message as object[]) : []));
  t.match(segments.at(-1), { text: /John Dashwood/, stt_provider: 'custom', speaker: 'SPEAKER_00' });
  t.notOk(
    messages.some((message) => (message as { provider?: string }).provider === 'local'),
    'no provider served the stream',
  );
});

/** Tests several decoder processes: when they start, how they take over each other's work, and their default number. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { decoderProcesses } from '../../../src/stt/service/decoder-processes.js';
import { until } from '../../support/until.js';
import { startLine, utterance } from './line.js';
import { stub } from './stub-process.js';

t.test('starts a further process when speech waits, up to the configured maximum', async (t) => {
  const line = await startLine(t, { transcriberConcurrency: 2 });
  const processes = (): number => line.metrics.get('transcriber_processes');
  await line.transcriber.ready();
  t.match(await line.say('a', utterance(stub.plain)), { text: '1' });
  t.ok(await until(() => processes() === 1), 'one is enough');
  const first = line.transcriber.pid()!;
  process.kill(first, 'SIGSTOP');
  const held = line.say('b', utterance(stub.plain));
  t.match(await line.say('c', utterance(stub.plain)), { text: '1' }, 'the second process answers');
  const queued = (): number => line.metrics.get('transcriber_queue_milliseconds');
  t.ok(await until(() => processes() === 2 && queued() === 0));
  const third = line.say('d', utterance(stub.hang));
  const fourth = line.say('e', utterance(stub.plain));
  t.ok(await until(() => queued() === 100), 'both are busy');
  t.equal(processes(), 2);
  process.kill(first, 'SIGCONT');
  t.match(await held, { text: '2' });
  t.match(await fourth, { text: '3' });
  await line.transcriber.stop();
  t.match(await third, { retained: String });
});

t.test('decodes only the utterance of a killed process again', async (t) => {
  const line = await startLine(t, { transcriberConcurrency: 2 });
  await line.transcriber.ready();
  const first = line.transcriber.pid()!;
  process.kill(first, 'SIGSTOP');
  const stopped = line.say('a', utterance(stub.plain));
  t.match(await line.say('b', utterance(stub.plain)), { text: '1' }, 'the second process answers');
  process.kill(first, 'SIGKILL');
  t.ok(await until(() => line.metrics.get('transcriber_restarts_total') === 1));
  t.equal(line.transcriber.state(), 'ready', 'speech is taken all the time');
  t.match(await stopped, { outcome: 'success' });
  t.match(await line.say('c', utterance(stub.plain)), { outcome: 'success' });
  t.ok(await until(() => line.metrics.get('transcriber_processes') === 2), 'it is replaced');
  t.equal(line.metrics.get('transcriber_failures_total'), 0);
});

t.test('the first process does all work when a further process cannot start', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cochlea-pool-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const transcriberModels = [`first:${join(folder, 'loaded')}`];
  const line = await startLine(t, { transcriberConcurrency: 2, transcriberModels });
  await line.transcriber.ready();
  const first = line.transcriber.pid()!;
  process.kill(first, 'SIGSTOP');
  const said = ['a', 'b', 'c'].map((user) => line.say(user, utterance(stub.plain)));
  t.ok(await until(() => line.metrics.get('transcriber_restarts_total') === 5), 'five tries');
  process.kill(first, 'SIGCONT');
  for (const result of await Promise.all(said)) t.equal(result.outcome, 'success');
  t.equal(line.transcriber.state(), 'ready');
  t.equal(line.metrics.get('transcriber_processes'), 1);
  t.match(JSON.stringify(line.logged.at(-1)), /stops trying/);
});

t.test('gives a process more time to load its model after a start that took too long', async (t) => {
  const line = await startLine(t, { transcriberTimeout: 1000, transcriberModels: ['delayed:1500'] });
  await line.transcriber.ready();
  t.equal(line.metrics.get('transcriber_restarts_total'), 1, 'the first start was ended');
  t.match(JSON.stringify(line.logged), /did not load its model in time/);
  t.match(await line.say('a', utterance(stub.plain)), { text: '1' });
});

t.test('computes the default number of processes of a machine', async (t) => {
  const gigabytes = 2 ** 30;
  for (const [cores, memory, expected] of [
    [1, 64, 1],
    [2, 1, 1],
    [2, 2, 1],
    [2, 3.8, 2],
    [2, 24, 2],
    [3, 16, 2],
    [4, 16, 3],
    [16, 16, 8],
    [16, 64, 15],
  ] as const)
    t.equal(
      decoderProcesses({ cores, memory: memory * gigabytes }),
      expected,
      `${cores} cores, ${memory} GiB`,
    );
  t.ok(decoderProcesses() >= 1, 'of this machine');
});

/**
 * Tests the transcriber with a stub as its decoder process: fair order, limits, crashes, and retained audio when decoding fails
 * completely.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { findModel } from '../../../src/models/directory.js';
import { decodeRetained } from '../../../src/stt/retained/codec.js';
import { startTranscriptionService, type TranscriptionService } from '../../../src/stt/service/server.js';
import type { UtteranceResult, UtteranceStream } from '../../../src/stt/shared/provider.js';
import { until } from '../../support/until.js';
import {
  isGone,
  keepingLogger,
  lineSettings,
  startLine,
  streamRequest,
  stubModels,
  stubModule,
  utterance,
} from './line.js';
import { stub } from './stub-process.js';

t.test('a user who floods several streams delays no other user', async (t) => {
  const line = await startLine(t);
  await line.transcriber.ready();
  const decoder = line.transcriber.pid()!;
  process.kill(decoder, 'SIGSTOP');
  const first = line.say('first', utterance(stub.plain));
  const flood = Array.from({ length: 6 }, (_, n) =>
    line.say(`flood-${n % 3}`, utterance(stub.plain), 'flood'),
  );
  const b = [line.say('b', utterance(stub.plain)), line.say('b', utterance(stub.plain))];
  const c = line.say('c', utterance(stub.plain));
  t.ok(await until(() => line.metrics.get('transcriber_queue_milliseconds') === 900), 'all but one wait');
  process.kill(decoder, 'SIGCONT');
  t.match(await first, { text: '1' });
  const order = async (results: Promise<{ text: string }>[]): Promise<number[]> =>
    (await Promise.all(results)).map(({ text }) => Number(text));
  t.strictSame(await order(flood), [2, 5, 7, 8, 9, 10]);
  t.strictSame(await order(b), [3, 6]);
  t.strictSame(await order([c]), [4]);
  t.equal(line.metrics.get('transcriber_utterances_total'), 10);
});

t.test('returns an outcome for each kind of utterance', async (t) => {
  const line = await startLine(t);
  t.match(await line.say('a', utterance(stub.plain)), {
    outcome: 'success',
    text: '1',
    provider: 'local',
    decoded: 1,
  });
  t.match(await line.say('a', utterance(stub.empty)), { outcome: 'empty_unexpected', text: '' });
  const spoken = await line.say('a', utterance(stub.language));
  t.match(spoken, { outcome: 'success', language: 'en' });
  t.equal(spoken.languages?.get('en'), 0.25, 'the probabilities reach the shard');
  t.match(await line.say('a', new Int16Array(0)), { outcome: 'invalid_input', text: '' });
  const refused = await line.say('a', utterance(stub.refuse));
  t.match(refused, { outcome: 'upstream_error', text: '', retained: String }, 'after three tries');
  t.equal(line.metrics.get('transcriber_failures_total'), 1);
});

t.test('retains audio beyond the queue limit unchanged', async (t) => {
  const line = await startLine(t, { transcriberQueue: 1000, transcriberModels: ['never-ready'] });
  const pcm = Int16Array.from({ length: 16_000 * 0.6 }, (_, index) => (index * 7919) % 32_768);
  void line.say('phone/../a', pcm.slice());
  const result = await line.say('phone/../a', pcm.slice());
  t.match(result, { outcome: 'upstream_error', text: '', retained: String });
  const key = result.retained!;
  t.strictSame(readdirSync(line.retainDir), [`${key}.opus`], 'nothing outside, nothing half done');
  const path = join(line.retainDir, `${key}.opus`);
  const kept = decodeRetained(readFileSync(path), path);
  t.equal(kept.pcm.length, pcm.length, 'every sample');
  t.match(kept.record, {
    user: 'phone/../a',
    stream: 'phone/../a',
    start: 0,
    end: 0.6,
    language: 'en',
    reason: 'queue_full',
    samples: 9600,
  });
  t.equal(statSync(path).mode & 0o077, 0, 'for the owner only');
  t.equal(line.metrics.get('utterances_retained_total'), 1);
});

t.test('reports audio as not retained when the store is not writable', async (t) => {
  const line = await startLine(t, { transcriberQueue: 0, transcriberModels: ['never-ready'] });
  rmSync(line.retainDir, { recursive: true });
  writeFileSync(line.retainDir, 'no folder');
  const result = await line.say('a', utterance(stub.plain));
  t.match(result, { outcome: 'upstream_error', text: '' });
  t.notOk('retained' in result);
  t.match(JSON.stringify(line.logged), /could not be retained/);
});

t.test('drops and answers requests of the user with the longest queue first', async (t) => {
  const line = await startLine(t, {
    transcriberQueue: 1000,
    transcriberUserQueue: 900,
    transcriberStreamQueue: 500,
    transcriberModels: ['never-ready'],
  });
  const answered: string[] = [];
  const say = (user: string, stream: string): void => {
    void line.say(stream, utterance(stub.plain), user).then(({ retained }) => {
      answered.push(`${stream} ${retained === undefined ? 'lost' : 'retained'}`);
    });
  };
  for (let n = 0; n < 6; n++) say('flood', 'flood-1');
  t.ok(await until(() => answered.length === 1), 'the sixth is over the bound of a stream');
  for (let n = 0; n < 5; n++) say('flood', 'flood-2');
  t.ok(await until(() => answered.length === 2), 'the tenth is over the bound of a user');
  t.strictSame(answered, ['flood-1 retained', 'flood-2 retained']);
  for (let n = 0; n < 3; n++) say('other', 'other');
  t.ok(await until(() => answered.length === 4), 'two more than there is space for');
  t.notOk(answered.some((answer) => /other|lost/.test(answer)));
  t.ok(await until(() => line.metrics.get('transcriber_queue_users') === 2));
  t.equal(line.metrics.get('utterances_retained_total'), 4, 'counted');
});

t.test('lag is the age of the oldest waiting utterance', async (t) => {
  const line = await startLine(t, { transcriberModels: ['never-ready'] });
  t.equal(line.transcriber.lag(), 0);
  void line.say('a', utterance(stub.plain));
  void line.say('b', utterance(stub.plain, 500));
  const first = await until(() => line.transcriber.lag());
  t.ok(await until(() => line.transcriber.lag() > first), 'grows while it waits');
  t.ok(
    await until(() => line.metrics.get('transcriber_queue_milliseconds') === 600),
    'queued speech is reported',
  );
  t.ok(line.metrics.get('transcriber_lag_milliseconds') > 0);
  t.ok(
    line.metrics.get('transcriber_wait_milliseconds') > 0,
    'no process takes anything: a new stream waits too',
  );
});

t.test('the queue of one user hardly counts in the wait of a new stream', async (t) => {
  const line = await startLine(t);
  await line.transcriber.ready();
  t.equal(line.transcriber.wait(), 0);
  void line.say('flood', utterance(stub.hang));
  for (let n = 0; n < 50; n++) void line.say('flood', utterance(stub.plain, 1000));
  t.ok(await until(() => line.metrics.get('transcriber_queue_milliseconds') === 50_000));
  const flooded = line.transcriber.wait();
  for (let n = 0; n < 9; n++) void line.say(`user-${n}`, utterance(stub.plain, 1000));
  t.ok(await until(() => line.metrics.get('transcriber_queue_users') === 10));
  const ratio = line.transcriber.wait() / flooded;
  t.ok(flooded > 0 && ratio > 5, `ten waiting users are ${ratio.toFixed(1)} times the wait of one`);
});

t.test('an utterance that kills its process fails alone', async (t) => {
  const line = await startLine(t, { transcriberConcurrency: 3 });
  const poison = line.say('p', utterance(stub.poison));
  const others = ['a', 'b', 'c', 'd'].map((stream) => line.say(stream, utterance(stub.plain)));
  for (const other of await Promise.all(others)) t.equal(other.outcome, 'success');
  t.match(await poison, { outcome: 'upstream_error', retained: String });
  t.equal(line.metrics.get('transcriber_restarts_total'), 3, 'one try and two more');
  t.equal(readdirSync(line.retainDir).length, 1);
  t.match(await line.say('a', utterance(stub.plain)), { outcome: 'success' }, 'and it goes on');
});

t.test('excludes a user whose utterances kill the process for a while, but no other user', async (t) => {
  const line = await startLine(t);
  const poisons = Array.from({ length: 8 }, (_, n) => line.say(`p${n}`, utterance(stub.poison), 'p'));
  const others = Array.from({ length: 8 }, () => line.say('a', utterance(stub.plain)));
  for (const other of await Promise.all(others)) t.equal(other.outcome, 'success');
  for (const poison of await Promise.all(poisons))
    t.match(poison, { outcome: 'upstream_error', retained: String });
  t.equal(line.metrics.get('transcriber_restarts_total'), fixedLimits.decoderFaults.value, 'bounded');
  t.match(await line.say('p', utterance(stub.plain)), { outcome: 'upstream_error', retained: String });
  const reasons = readdirSync(line.retainDir).map(
    (name) => decodeRetained(readFileSync(join(line.retainDir, name)), name).record.reason,
  );
  t.ok(reasons.filter((reason) => reason === 'decoder_faults').length >= 6);
});

t.test('ends an utterance after the time limit and decodes the next one', async (t) => {
  // The time limit is this long, because the process must also start within it.
  const line = await startLine(t, { transcriberTimeout: 2500 });
  const hang = line.say('h', utterance(stub.hang));
  const behind = line.say('a', utterance(stub.plain));
  t.match(await hang, { outcome: 'timeout', retained: String });
  t.match(await behind, { outcome: 'success' });
});

t.test('decodes an utterance again when its process is killed', async (t) => {
  const line = await startLine(t);
  await line.transcriber.ready();
  const first = line.transcriber.pid()!;
  const hang = line.say('h', utterance(stub.hang));
  const behind = line.say('a', utterance(stub.plain));
  t.ok(await until(() => line.transcriber.lag() > 0), 'the second waits, so the first is being decoded');
  process.kill(first, 'SIGKILL');
  t.ok(await until(() => (line.transcriber.pid() ?? first) !== first), 'another process follows');
  t.match(await behind, { outcome: 'success' });
  await line.transcriber.stop();
  t.match(await hang, { outcome: 'upstream_error', retained: String }, 'it is still held at the end');
});

t.test('a process that never becomes ready makes the provider unusable', async (t) => {
  const line = await startLine(t, { transcriberModels: ['exits'] });
  const early = line.say('a', utterance(stub.plain));
  await line.transcriber.ready();
  t.equal(line.transcriber.state(), 'unusable');
  t.match(await early, { outcome: 'config_error', retained: String });
  t.match(JSON.stringify(line.logged[0]), /"code":1.*no such graph/, 'the log says why');
  await t.rejects(line.provider.connect(streamRequest('b')), {
    code: 'stt_provider_configuration_error',
  });
});

t.test('a service that is away ends streams with a passing failure, and serves again later', async (t) => {
  const line = await startLine(t, { absence: 300 });
  await line.transcriber.ready();
  const ends: unknown[] = [];
  const open = () => line.provider.connect({ ...streamRequest('a'), emit: (event) => ends.push(event) });
  const request = { user: 'a', stream: 'a', start: 0, end: 0.1, language: 'en' };
  const ask = (stream: UtteranceStream, id: number): Promise<UtteranceResult> =>
    stream.transcribe({ ...request, id, pcm: utterance(stub.plain) });
  const reasons = (): string[] =>
    readdirSync(line.retainDir).map((name) => {
      const path = join(line.retainDir, name);
      return decodeRetained(readFileSync(path), path).record.reason;
    });
  const become = (state: string) => until(() => line.transcriber.state() === state, state, 20_000);
  const first = await open();
  await line.service.close();
  const waiting = ask(first, 1001);
  await become('away');
  t.match(await waiting, { outcome: 'upstream_error', retained: String }, 'what waited is given up');
  t.match(
    await ask(first, 1002),
    { outcome: 'upstream_error', retained: String },
    'what follows does not wait',
  );
  t.same(reasons(), ['away', 'away']);
  t.same(ends, [{ kind: 'death', reason: 'socket_unavailable' }]);
  await t.rejects(open(), { message: /socket_unavailable/ });

  const start = (model: string): Promise<TranscriptionService> =>
    startTranscriptionService({
      settings: { ...lineSettings, transcriberModels: [model] },
      models: stubModels([model]),
      modelsDir: '',
      socket: line.socket,
      log: keepingLogger([]),
      module: stubModule,
    });
  const other = await start('another');
  await become('unusable');
  await t.rejects(
    open(),
    { code: 'stt_provider_configuration_error' },
    'a service that refuses is no absence',
  );
  await other.close();
  await become('away');
  const next = await start('whisper-tiny.en');
  t.teardown(() => next.close());
  await become('ready');
  t.match(await ask(await open(), 1003), { outcome: 'success' });
  t.equal(line.logged.filter((text) => /service is away/.test(String(text))).length, 1, 'is logged once');
});

t.test('refuses a wrong model file before loading it', async (t) => {
  const { name, files } = findModel('whisper-tiny.en');
  const largest = files.find((file) => file.name === 'model.bin')!;
  const damages: Record<string, (folder: string) => void> = {
    missing: () => {},
    'of another size': (folder) => writeFileSync(join(folder, largest.name), 'x'),
    'of the right size with other bytes': (folder) => {
      writeFileSync(join(folder, largest.name), '');
      truncateSync(join(folder, largest.name), largest.bytes);
    },
  };
  for (const [damage, make] of Object.entries(damages)) {
    const modelsDir = t.testdir();
    mkdirSync(join(modelsDir, name));
    make(join(modelsDir, name));
    const line = await startLine(t, { modelsDir, module: undefined });
    await line.transcriber.ready();
    t.equal(line.transcriber.state(), 'unusable', damage);
    t.match(line.logged[0], [/^Model file .+ (is missing|has the wrong SHA-256)\. .*cochlea models pull/]);
    t.equal(line.metrics.get('transcriber_restarts_total'), 0, 'there is no point in another try');
  }
});

t.test('stop retains unanswered audio and leaves no process', async (t) => {
  const line = await startLine(t);
  await line.transcriber.ready();
  const pid = line.transcriber.pid()!;
  const results = [stub.hang, stub.plain, stub.plain].map((first) => line.say('a', utterance(first)));
  t.ok(await until(() => line.transcriber.lag() > 0));
  await line.transcriber.finish(50);
  await line.transcriber.stop();
  await line.service.close();
  for (const result of await Promise.all(results))
    t.match(result, { outcome: 'upstream_error', retained: String });
  t.ok(isGone(pid));
  t.equal(line.transcriber.state(), 'stopped');
  await t.rejects(line.provider.connect(streamRequest('b')), { message: /socket_unavailable/ });
  await line.transcriber.stop();
});

t.test('finish waits for the last answer, up to its time limit', async (t) => {
  const line = await startLine(t);
  for (const stream of ['a', 'b']) void line.say(stream, utterance(stub.plain));
  const answered = (): number => line.metrics.get('transcriber_utterances_total');
  t.ok(await until(() => line.transcriber.lag() > 0 || answered() === 2), 'they have come');
  await line.transcriber.finish(60_000);
  t.equal(line.metrics.get('transcriber_utterances_total'), 2);
  void line.say('a', utterance(stub.hang));
  void line.say('a', utterance(stub.plain));
  t.ok(await until(() => line.transcriber.lag() > 0), 'one waits behind the other');
  await line.transcriber.finish(20);
  t.equal(line.metrics.get('transcriber_utterances_total'), 2, 'given up');
});

t.test('retains the audio of a shard that ends, unless its device sends it again', async (t) => {
  const line = await startLine(t, { transcriberModels: ['never-ready'] });
  const connection = await line.provider.connect(streamRequest('a'));
  const request = { user: 'a', stream: 'a', start: 0, end: 1, language: 'en' };
  const results = [
    connection.transcribe({ ...request, id: 1, pcm: utterance(stub.plain), resends: true }),
    connection.transcribe({ ...request, id: 2, pcm: utterance(stub.plain) }),
  ];
  t.ok(await until(() => line.transcriber.lag() > 0), 'they arrived');
  line.port.close();
  t.match(
    await Promise.all(results),
    [1, 2].map((id) => ({ id, outcome: 'upstream_error' })),
  );
  t.ok(await until(() => line.metrics.get('utterances_retained_total') > 0));
  t.equal(readdirSync(line.retainDir).filter((name) => name.endsWith('.opus')).length, 1);
  await connection.finish(1000);
});

/** Tests a transcription service with several models: choice, download while it runs, and models that cannot be loaded. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { manifest } from '../../../src/models/manifest/manifest.js';
import type { LocalModels } from '../../../src/stt/service/choice/model-choice.js';
import { ServiceClient } from '../../../src/stt/service/socket-client.js';
import type { ProviderEvent } from '../../../src/stt/shared/provider.js';
import { speechModelNames } from '../../../src/wire/speech-model.js';
import { until } from '../../support/until.js';
import { keepingLogger, type Line, startLine, streamRequest, utterance } from './line.js';
import { stub } from './stub-process.js';

const [tiny, base] = ['whisper-tiny.en', 'whisper-base'];

/**
 * The first model knows only English.
 * @param present names that are present; a test may add to them.
 * @param version returns the version of a model's files.
 */
const modelsOf = (present: readonly string[], version: (name: string) => string = () => ''): LocalModels => ({
  present: () => present,
  parameters: (name) => ({ languages: name === tiny ? ['en'] : ['en', 'de'] }),
  version,
});

/** Waits until final words come from a model. */
const served = (line: Line, model: string): Promise<unknown> =>
  until(async () => (await line.say('probe', utterance(stub.model))).model === model);

t.test('each class and language gets its model, and the result names it', async (t) => {
  const transcriberModels = [tiny, base];
  const line = await startLine(t, { transcriberModels, models: modelsOf(transcriberModels) });
  await served(line, base);
  const counted = (): number =>
    line.metrics.get('transcriber_model_utterances_total{model="whisper-tiny.en"}');
  const before = counted();
  const say = (changes: object): Promise<object> => line.say('a', utterance(stub.model), 'a', changes);
  t.match(await say({}), { text: base, model: base });
  t.match(await say({ interim: true }), { text: tiny, model: tiny });
  t.match(await say({ interim: true, settles: true }), { text: base, model: base });
  t.match(await say({ language: 'de', interim: true }), { text: base, model: base });
  t.match(
    await say({ interim: true, languages: ['en', 'de'] }),
    { text: base },
    'tells the candidates apart',
  );
  t.match(await say({ language: 'xx' }), { outcome: 'config_error', retained: String }, 'stored for later');
  t.ok(line.metrics.get('transcriber_model_utterances_total{model="whisper-base"}') >= 2);
  t.equal(counted(), before, 'interim words do not count');
});

t.test('a model that arrives while the service runs is loaded and used', async (t) => {
  const present = [tiny];
  const line = await startLine(t, { transcriberModels: [tiny, base], models: modelsOf(present) });
  t.match(await line.say('a', utterance(stub.model)), { model: tiny });
  t.match(await line.say('a', utterance(stub.model), 'a', { language: 'de' }), { outcome: 'config_error' });
  present.push(base);
  await served(line, base);
  t.match(await line.say('a', utterance(stub.model), 'a', { language: 'de' }), { model: base });
  t.equal(line.metrics.get('transcriber_restarts_total'), 0);
});

t.test(
  'streams get the long silence while a model that profits is present and the service runs',
  async (t) => {
    const present = [tiny];
    const models: LocalModels = {
      ...modelsOf(present),
      parameters: (name) => ({ languages: ['en'], longSilence: name === base }),
    };
    const line = await startLine(t, { transcriberModels: [tiny, base], models });
    const told: ProviderEvent[] = [];
    const connect = () =>
      line.provider.connect({ ...streamRequest('a'), emit: (event) => void told.push(event) });
    const stream = await connect();
    t.match(await line.say('a', utterance(stub.model)), { model: tiny });
    t.equal(stream.longSilence, false);
    present.push(base);
    t.ok(await until(() => told.length > 0));
    t.strictSame(told, [{ kind: 'silence', long: true }], 'told once');
    t.equal(stream.longSilence, true);
    t.equal((await connect()).longSilence, true, 'for later streams, too');
    t.equal(line.metrics.get('transcriber_long_silence'), 1);
    await stream.finish(0);
    await line.service.close();
    t.ok(await until(() => told.length > 1));
    t.strictSame(told.slice(1), [{ kind: 'silence', long: false }], 'only the open stream is told');
    t.equal(line.metrics.get('transcriber_long_silence'), 0);
  },
);

t.test('each of several further models is loaded once', async (t) => {
  const present = [tiny];
  const transcriberModels = [tiny, base, 'third', 'fourth'];
  const line = await startLine(t, { transcriberModels, models: modelsOf(present) });
  t.match(await line.say('a', utterance(stub.model)), { model: tiny });
  present.push(base, 'third', 'fourth');
  await served(line, 'fourth');
  t.equal(line.metrics.get('transcriber_restarts_total'), 0);
});

t.test('the service continues without a model that cannot be loaded', async (t) => {
  for (const [broken, restarts] of [
    ['refused', 0],
    ['exits', 3],
    // A process that a signal ended proves less about the model, so the service tries more often.
    ['kills', 6],
  ] as const) {
    const transcriberModels = [tiny, broken];
    const line = await startLine(t, { transcriberModels, models: modelsOf(transcriberModels) });
    t.ok(await until(() => JSON.stringify(line.logged).includes('cannot be loaded')), broken);
    const before = line.logged.findIndex((one) => JSON.stringify(one).includes('cannot be loaded'));
    const ends = line.logged.slice(0, before).filter((one) => JSON.stringify(one).includes('is restarted'));
    t.equal(ends.length, restarts, `${broken}: processes that ended before the model was given up`);
    t.match(await line.say('a', utterance(stub.model)), { outcome: 'success', model: tiny });
    t.match(await line.say('a', utterance(stub.model), 'a', { language: 'de' }), { outcome: 'config_error' });
    t.equal(line.transcriber.state(), 'ready');
    t.ok(await until(() => line.metrics.get('transcriber_restarts_total') >= restarts));
  }
});

t.test('a model that could not be loaded is loaded when its files change', async (t) => {
  const folder = t.testdir();
  for (const [fault, restarts] of [
    ['refused', 0],
    ['kills', 6],
  ] as const) {
    const file = join(folder, fault);
    const broken = `${fault}:${file}`;
    const transcriberModels = [tiny, broken];
    let version = 'broken';
    const models = modelsOf(transcriberModels, () => version);
    const line = await startLine(t, { transcriberModels, models });
    const german = () => line.say('a', utterance(stub.model), 'a', { language: 'de' });
    t.ok(await until(() => JSON.stringify(line.logged).includes('cannot be loaded')), fault);
    t.match(await german(), { outcome: 'config_error' });
    writeFileSync(file, '');
    t.match(await german(), { outcome: 'config_error' }, 'nothing tells the service about the repair');
    version = 'repaired';
    t.ok(await until(async () => (await german()).model === broken), 'used');
    t.equal(line.metrics.get('transcriber_restarts_total'), restarts);
    const failures = line.logged.filter((entry) => JSON.stringify(entry).includes('cannot be loaded'));
    t.equal(failures.length, 1, 'reported once');
  }
});

t.test('a service whose first model could not be loaded starts when its files change', async (t) => {
  const file = join(t.testdir(), 'repaired');
  const first = `refused:${file}`;
  let version = 'broken';
  const models = { ...modelsOf([first], () => version), parameters: () => ({ languages: ['en'] }) };
  const line = await startLine(t, { transcriberModels: [first], models, transcriberConcurrency: 2 });
  t.ok(await until(() => line.transcriber.state() === 'unusable'));
  writeFileSync(file, '');
  version = 'repaired';
  t.ok(await until(() => line.transcriber.state() === 'ready'));
  t.match(await line.say('a', utterance(stub.model)), { outcome: 'success', model: first });
});

/** Returns a client of a line's service that can send voice messages and stored audio. */
const clientOf = (t: Test, line: Line): ServiceClient => {
  const client = new ServiceClient({ socket: line.socket, log: keepingLogger([]), status: () => undefined });
  t.teardown(() => client.close());
  return client;
};

const german = { language: 'de' };

t.test('speech that waits until its model is loaded occupies no process', async (t) => {
  const file = join(t.testdir(), 'slow');
  const slow = `slow:${file}`;
  const transcriberModels = [tiny, slow, 'third'];
  const line = await startLine(t, { transcriberModels, models: modelsOf(transcriberModels) });
  t.match(await line.say('a', utterance(stub.model)), { model: tiny });
  const live = ['a', 'b'].map((user) => line.say(user, utterance(stub.model), user, german));
  const voice = clientOf(t, line).transcribe({
    user: 'd',
    stream: 'd',
    language: 'en',
    pcm: utterance(stub.model),
    priority: 'voice',
  });
  const queued = (): number => line.metrics.get('transcriber_queue_milliseconds');
  t.ok(await until(() => queued() === 300), 'all three wait');
  t.match(await line.say('c', utterance(stub.model)), { model: tiny }, 'English does not');
  t.match(await line.say('e', utterance(stub.model), 'a'), { model: tiny }, 'nor does another stream');
  writeFileSync(file, '');
  for (const result of await Promise.all(live)) t.match(result, { outcome: 'success', model: slow });
  t.match(await voice, { outcome: 'success', model: 'third' }, 'a voice message waits for the best model');
  t.equal(line.metrics.get('transcriber_failures_total'), 0);
  t.equal(line.metrics.get('transcriber_restarts_total'), 0);
});

t.test('speech keeps waiting when processes end while they load its model', async (t) => {
  const file = join(t.testdir(), 'slow');
  const transcriberModels = [tiny, `slow:${file}`];
  const line = await startLine(t, { transcriberModels, models: modelsOf(transcriberModels) });
  t.match(await line.say('a', utterance(stub.model)), { model: tiny });
  const waiting = line.say('a', utterance(stub.model), 'a', german);
  // Kills more processes than the service tolerates for an utterance that is being decoded.
  for (let ends = 1; ends <= 4; ends++) {
    process.kill(line.transcriber.pid()!, 'SIGKILL');
    t.ok(await until(() => line.metrics.get('transcriber_restarts_total') === ends));
    t.match(await line.say('b', utterance(stub.model)), { outcome: 'success', model: tiny });
  }
  writeFileSync(file, '');
  t.match(await waiting, { outcome: 'success', model: `slow:${file}` });
  t.equal(line.metrics.get('transcriber_failures_total'), 0);
});

t.test('speech that waits learns when its model cannot be loaded', async (t) => {
  for (const busy of [false, true]) {
    const file = join(t.testdir(), `slow-${busy}`);
    const transcriberModels = [tiny, `slowly-refused:${file}`];
    const line = await startLine(t, { transcriberModels, models: modelsOf(transcriberModels) });
    t.match(await line.say('a', utterance(stub.model)), { model: tiny });
    const waiting = line.say('a', utterance(stub.model), 'a', german);
    const stored = { user: 'b', stream: 'b', language: 'en', pcm: utterance(stub.model) };
    const english = busy ? undefined : clientOf(t, line).transcribe({ ...stored, priority: 'retained' });
    // The process hangs. The answer to `waiting` must not wait for it.
    if (busy) void line.say('c', utterance(stub.hang));
    const queued = (): number => line.metrics.get('transcriber_queue_milliseconds');
    t.ok(await until(() => queued() === (busy ? 100 : 200)));
    writeFileSync(file, '');
    t.match(await waiting, { outcome: 'config_error', retained: String }, `the process is busy: ${busy}`);
    if (!busy) t.match(await english, { outcome: 'success', model: tiny }, 'the best model that is left');
  }
});

t.test('stored audio learns whether a model of its language is unusable or missing', async (t) => {
  const transcriberModels = [tiny, 'refused'];
  const line = await startLine(t, { transcriberModels, models: modelsOf(transcriberModels) });
  t.ok(await until(() => JSON.stringify(line.logged).includes('cannot be loaded')));
  const client = clientOf(t, line);
  const reasonFor = async (language: string): Promise<string | undefined> => {
    const pcm = utterance(stub.model);
    return (await client.transcribe({ user: 'a', stream: 'a', language, pcm, priority: 'retained' })).reason;
  };
  t.equal(await reasonFor('de'), 'unusable');
  t.equal(await reasonFor('xx'), 'language');
});

t.test('metrics have a label for each speech model of the manifest', async (t) => {
  const names = manifest.filter(({ purpose }) => purpose === 'speech-recognition').map(({ name }) => name);
  t.strictSame([...speechModelNames], names);
});

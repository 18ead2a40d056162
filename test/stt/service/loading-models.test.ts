/** Tests decodes that wait until a decoder process has loaded their model. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { deferred } from '../../../src/common/deferred.js';
import { createLogger } from '../../../src/log/logger.js';
import { DecodeQueue, type DecodeRequest, type DecodeResult } from '../../../src/stt/service/decode-queue.js';
import { lineSettings, stubModule, utterance } from './line.js';
import { stub } from './stub-process.js';

const first = 'whisper-tiny.en';

/** A queue with a first model for English and a second model for German, whose timers the test advances. */
const start = (t: Test, second: string) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const restarted = deferred();
  const queue = new DecodeQueue({
    settings: lineSettings,
    models: {
      present: () => [first, second],
      parameters: (name) => ({ languages: [name === first ? 'en' : 'de'] }),
      version: () => '',
    },
    modelsDir: '',
    log: createLogger('test', 'silent'),
    module: stubModule,
    changed: () => {
      if (queue.status().restarts > 0) restarted.resolve();
    },
  });
  t.teardown(async () => {
    mock.timers.reset();
    await queue.close();
  });
  let id = 0;
  const say = (changes: Partial<DecodeRequest>): Promise<DecodeResult> =>
    new Promise((answer) => {
      queue.submit({
        owner: queue,
        id: ++id,
        user: 'a',
        stream: 'a',
        priority: 'voice',
        language: 'en',
        languages: [],
        settles: false,
        keywords: [],
        detected: 0,
        pcm: utterance(stub.model),
        instead: 0,
        answer,
        ...changes,
      });
    });
  return { queue, say, restarted: restarted.promise };
};

t.test('the time limit of a decode does not include the time until its model is loaded', async (t) => {
  const file = join(t.testdir(), 'loaded');
  const second = `slow:${file}`;
  const { queue, say } = start(t, second);
  t.match(await say({}), { text: first });
  queue.loadModels();
  const german = say({ language: 'de' });
  t.match(await say({ priority: 'live' }), { text: first }, 'live speech does not wait for it');
  mock.timers.tick(lineSettings.transcriberTimeout + 1);
  t.match(await say({ priority: 'live' }), { text: first }, 'the process continues');
  writeFileSync(file, '');
  t.match(await german, { outcome: 'success', text: second });
  t.equal(queue.status().restarts, 0);
});

t.test('a process that does not load a model in ten times the time limit is replaced', async (t) => {
  const file = join(t.testdir(), 'loaded');
  const second = `slow:${file}`;
  const { queue, say, restarted } = start(t, second);
  t.match(await say({}), { text: first });
  queue.loadModels();
  const german = say({ language: 'de' });
  t.match(await say({ priority: 'live' }), { text: first });
  mock.timers.tick(9 * lineSettings.transcriberTimeout);
  t.match(await say({ priority: 'live' }), { text: first }, 'the process continues');
  writeFileSync(file, '');
  mock.timers.tick(lineSettings.transcriberTimeout);
  await restarted;
  mock.timers.tick(lineSettings.transcriberTimeout);
  t.match(await german, { outcome: 'success', text: second }, 'the next process decodes it');
});

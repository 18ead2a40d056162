/**
 * Tests the messages about speech for clients with `activity=true`. Other clients get the same bytes as without these
 * messages.
 */
import fc from 'fast-check';
import t from 'tap';
import { SpeechActivity } from '../../../src/engine/shared/speech-activity.js';
import { RecordKind } from '../../../src/ring/layout.js';
import type { OpenRequest } from '../../../src/wire/stream.js';
import { Harness, silence, speech } from '../support/harness.js';

const activityOf = (harness: Harness): unknown[] =>
  harness.events(0, 'speech_activity').map(({ speaking, at }) => [speaking, at]);

t.test('speech begins and ends', async (t) => {
  const harness = new Harness();
  await harness.open(0, { activity: true });
  harness.stream(0, silence(50));
  for (const voice of [1, 2]) {
    harness.stream(0, speech(voice));
    harness.stream(0, silence());
  }
  await harness.tick();
  t.same(activityOf(harness), [
    [true, 1],
    [false, 1.5],
    [true, 2.1],
    [false, 2.6],
  ]);
});

t.test('speech that stops because no audio comes ends, too', async (t) => {
  const harness = new Harness();
  await harness.open(0, { activity: true });
  harness.stream(0, speech(1));
  await harness.tick(3000);
  await harness.tick();
  t.same(
    harness.events(0, 'speech_activity').map(({ speaking }) => speaking),
    [true, false],
  );
});

t.test('with a clock of the device, times are on that clock', async (t) => {
  const harness = new Harness();
  await harness.open(0, { activity: true, streamClock: 'clock', confirms: true, clockAt: 60_000 });
  harness.stream(0, speech(1));
  harness.stream(0, silence());
  await harness.tick();
  t.same(activityOf(harness), [
    [true, 60],
    [false, 60.5],
  ]);
});

t.test('two sides speak as one', async (t) => {
  const harness = new Harness();
  const call: Partial<OpenRequest> = {
    source: 'phone_call',
    format: { codec: 'pcm8', sampleRate: 8000, channels: 2 },
  };
  await harness.open(0, { ...call, activity: true });
  const say = (side: number, frames: readonly number[]): void => {
    for (const frame of frames) {
      harness.record(RecordKind.audio, 0, Uint8Array.of(side, frame, 0));
      harness.clock.now += 20;
    }
    harness.shard.pass();
  };
  for (let frame = 0; frame < 25; frame++) {
    say(1, [7]);
    say(2, [9]);
  }
  for (let frame = 0; frame < 40; frame++) say(1, [0]);
  await harness.settle();
  t.same(
    harness.events(0, 'speech_activity').map(({ speaking }) => speaking),
    [true],
    'the other side has not ended',
  );
  for (let frame = 0; frame < 40; frame++) say(2, [0]);
  await harness.settle();
  t.same(
    harness.events(0, 'speech_activity').map(({ speaking }) => speaking),
    [true, false],
  );
});

t.test('without the parameter not one byte differs', async (t) => {
  const textsOf = async (options: Partial<OpenRequest>): Promise<string[]> => {
    const harness = new Harness();
    await harness.open(0, options);
    for (const voice of [1, 2]) {
      harness.stream(0, speech(voice));
      harness.stream(0, silence());
    }
    await harness.tick(1000);
    harness.close(0);
    await harness.tick(1000);
    const id = harness.conversationId(0);
    return harness.sent.map((sent) => {
      const text = sent.kind === 'send' ? sent.text : JSON.stringify(sent);
      return text.replaceAll(id, 'ID').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID');
    });
  };
  const plain = await textsOf({});
  t.notMatch(plain.join('\n'), /speech_activity/);
  t.same(await textsOf({ activity: false }), plain);
  const asked = await textsOf({ activity: true });
  t.ok(asked.length > plain.length);
  t.same(
    asked.filter((text) => !text.includes('speech_activity')),
    plain,
    'the other messages are the same',
  );
});

t.test('at most four messages a second, they alternate, and the last state arrives', async (t) => {
  const steps = fc.array(
    fc.record({ wait: fc.integer({ min: 0, max: 400 }), speaking: fc.boolean(), tick: fc.boolean() }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (list) => {
      let now = 1000;
      const told: { speaking: boolean; at: number; when: number }[] = [];
      const activity = new SpeechActivity({
        now: () => now,
        tell: (speaking, at) => told.push({ speaking, at, when: now }),
      });
      let [last, sample] = [false, 0];
      for (const { wait, speaking, tick } of list) {
        now += wait;
        if (tick) activity.tick();
        if (speaking !== last) sample = now * 16;
        last = speaking;
        activity.changed(speaking, now * 16);
      }
      now += 600;
      activity.tick();
      return (
        (told.at(-1)?.speaking ?? false) === last &&
        told.every((one, place) => one.speaking === (place % 2 === 0)) &&
        told.every((one, place) => place < 4 || one.when - told[place - 4]!.when >= 1000) &&
        (told.length === 0 || (Math.round(told.at(-1)!.at * 16_000) <= sample && told.at(-1)!.at > 0))
      );
    }),
  );
  t.pass('rate, order and end');
});

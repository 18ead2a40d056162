/** Tests which audio the engine confirms to a device, and from which position the device must send again. */
import t from 'tap';
import { StreamPositions } from '../../../src/engine/positions/stream-positions.js';
import { FakeProvider } from '../support/fake-provider.js';
import { Harness } from '../support/harness.js';
import { Device, storedVoices } from './device.js';

/**
 * Starts an engine, and speaks on a device that streams to it. The engine's provider answers only when the test says
 * so.
 */
const unanswered = async () => {
  const provider = new FakeProvider();
  provider.manual = true;
  const harness = new Harness({ providers: [provider] });
  const device = new Device();
  await device.connect(harness, 0);
  device.speak();
  await device.send();
  return { provider, harness, device };
};

t.test('a first stream begins at 0, and silence is confirmed without a write', async (t) => {
  const harness = new Harness();
  const device = new Device();
  t.equal(await device.connect(harness, 0), 0);
  device.pause(100);
  await device.send();
  await harness.tick(1000);
  device.read();
  t.equal(device.confirmed, 1920, 'whole steps of 120 ms');
  t.same(harness.journal.commits, []);
});

t.test('speech is confirmed when its words are stored, with the same change', async (t) => {
  const provider = new FakeProvider();
  provider.manual = true;
  const harness = new Harness({ providers: [provider] });
  const device = new Device();
  const began = harness.clock.now;
  await device.connect(harness, 0);
  device.speak();
  device.speak();
  await device.send();
  await harness.tick(1000);
  device.read();
  t.equal(device.confirmed, 0, 'no words yet');
  provider.held[1]!.answer();
  await harness.tick(1000);
  t.same(storedVoices(harness), [], 'later words wait for earlier ones');
  provider.held[0]!.answer();
  await harness.tick(1000);
  device.read();
  t.same(storedVoices(harness), [1, 2]);
  t.equal(device.confirmed, 1800);
  const { audio } = harness.journal.commits.flat().at(-1)!;
  t.same(audio, { clock: 'clock', confirmed: [1800], began, newest: { stream: 1, since: [0], after: [] } });
});

t.test('the next stream resumes at the stored position, or at the one that the device states', async (t) => {
  const first = new Harness();
  const device = new Device();
  await device.connect(first, 0);
  device.speak();
  await device.send();
  await first.tick(1000);
  const next = new Harness({ sharesWith: first });
  t.equal(await device.connect(next, 0), 840, 'the stored position, in whole steps');
  device.confirmed = 1200;
  const other = new Harness({ sharesWith: next });
  t.equal(await device.connect(other, 0), 1200);
  t.equal(await new Device('other').connect(other, 1), 0, 'another clock begins at 0');
});

t.test('without a reachable database, the position that the device states counts', async (t) => {
  const harness = new Harness();
  harness.journal.mode = 'spill';
  const device = new Device();
  device.confirmed = 2400;
  t.equal(await device.connect(harness, 0), 2400);
});

t.test('a reconnect on the same engine closes the older stream, whose later words are dropped', async (t) => {
  const { provider, harness, device } = await unanswered();
  await harness.tick();
  t.equal(await device.connect(harness, 1), 0);
  t.match(harness.story(0).at(-1), /^close 1012/);
  await device.send();
  for (const held of provider.held) held.answer();
  await harness.tick();
  await harness.tick();
  t.same(storedVoices(harness), [1]);
});

t.test('words of an open utterance are sent, but not stored before they are final', async (t) => {
  const provider = new FakeProvider('local', ['en'], true);
  const harness = new Harness({ providers: [provider] });
  const device = new Device();
  await device.connect(harness, 0);
  device.speak(60, 12);
  await device.send();
  await harness.tick();
  t.match(harness.segments(0), [{ text: /^Voice 1/ }], 'the client sees them');
  t.same(storedVoices(harness), []);
  device.pause(40);
  await device.send();
  await harness.tick();
  t.same(storedVoices(harness), [1]);
  const [conversation] = harness.journal.conversations.values();
  t.type(conversation!.startedAt, 'number', 'the start of the conversation is stored');
});

t.test('audio that was not decoded closes the stream, and is sent again', async (t) => {
  const harness = new Harness();
  const device = new Device();
  await device.connect(harness, 0);
  device.speak();
  await device.send();
  harness.stream(0, [254]);
  await harness.tick(1000);
  t.match(harness.story(0).at(-1), /^close 1013/);
  device.read();
  t.equal(await device.connect(harness, 1), 120, 'the last position that was certain');
  device.speak();
  await device.send();
  await harness.tick(1000);
  t.same(storedVoices(harness), [1, 2], 'what was stored is skipped');
});

t.test('a word that a lost connection divides is stored once and whole', async (t) => {
  const harness = new Harness();
  const device = new Device();
  await device.connect(harness, 0);
  device.speak();
  device.speak(20);
  await device.send(45 + 12);
  for (let second = 0; second < 89; second++) await harness.tick(1000);
  device.read();
  t.same(storedVoices(harness), [1], 'the second word stays open');
  t.equal(device.confirmed, 840, 'the position is before the word');
  t.equal(await device.connect(harness, 1), 840);
  await device.send();
  await harness.tick();
  t.same(storedVoices(harness), [1, 2]);
  t.match(harness.segments(1).at(-1), { text: /Voice 2/ });
});

const stalls = [
  { what: 'in a pause ends after 3 s', spoken: 20 + 16, ticks: 3 },
  {
    what: 'in a word, but whose client stays connected, ends after the idle timeout',
    spoken: 12,
    ticks: 101,
  },
] as const;
for (const { what, spoken, ticks } of stalls) {
  t.test(`an utterance whose audio stops ${what}`, async (t) => {
    const harness = new Harness();
    const device = new Device();
    await device.connect(harness, 0);
    device.speak(20);
    await device.send(spoken);
    for (let second = 0; second < ticks - 1; second++) await harness.tick(1000);
    t.same(storedVoices(harness), []);
    await harness.tick(1000);
    await harness.tick(1000);
    t.same(storedVoices(harness), [1]);
  });
}

t.test('retained audio is confirmed when it is stored', async (t) => {
  const { provider, harness, device } = await unanswered();
  provider.held[0]!.answer({ outcome: 'overloaded', text: '', retained: 'key' } as never);
  await harness.tick(1000);
  device.read();
  t.ok(device.confirmed >= 840);
});

t.test(
  'speech that is neither sent nor retained closes the stream, so that the device sends it again',
  async (t) => {
    const devices: [clock: string | undefined, last: string | undefined][] = [
      ['clock', 'close 1011 transcription_service_unavailable'],
      [undefined, undefined],
    ];
    for (const [clock, last] of devices) {
      let takes = true;
      const harness = new Harness({
        audioProviders: [
          {
            name: 'slow',
            capabilities: {
              audio: 'everything',
              supports: () => true,
              diarizes: false,
              interim: false,
              wordTimes: true,
            },
            connect: async () => ({ send: () => takes, finish: async () => true, close: () => undefined }),
          },
        ],
        providers: [],
      });
      harness.canRetain = false;
      const device = new Device();
      await device.connect(harness, 0, clock === undefined ? { streamClock: undefined } : {});
      for (takes of [true, false, true]) {
        device.speak();
        harness.stream(0, device.frames.slice(-45) as number[]);
        await harness.settle();
      }
      await harness.tick(1000);
      t.equal(
        harness.story(0).find((entry) => entry.startsWith('close')),
        last,
        clock ?? 'without positions',
      );
    }
  },
);

t.test('each side of a stereo stream has its own position', async (t) => {
  const positions = new StreamPositions({
    clock: 'clock',
    stated: 0,
    tracks: 2,
    bounds: () => [48_000, 32_000],
    wallOf: (sample) => 100_000 + sample / 16,
  });
  t.equal(positions.resume([1000, 500]), 480, 'from the lower one, in whole steps');
  const [left, right] = positions.tracks;
  const run = { start: 0, pcm: new Int16Array(9000), speechStart: 100, speechEnd: 8000 };
  t.equal(left!.unskipped(run), undefined, 'the left side has stored its words');
  t.match(right!.unskipped(run), { start: 320, speechStart: 320, speechEnd: 8000 });
  t.match(positions.mark(), { confirmed: [3480, 2480], began: 100_000 - 480 });
  t.equal(positions.news(), 2400, 'the lower one, in whole steps');
});

const without: [what: string, wishes: object][] = [
  ['no parameter', {}],
  ['only a clock', { streamClock: 'clock' }],
  ['only confirm', { confirms: true }],
  ['a client that transcribes itself', { streamClock: 'clock', confirms: true, customStt: true }],
  [
    'a call with tagged frames',
    {
      streamClock: 'clock',
      confirms: true,
      source: 'phone_call',
      format: { codec: 'pcm8', sampleRate: 8000, channels: 2 },
    },
  ],
];
for (const [what, wishes] of without) {
  t.test(`with ${what}, nothing is different`, async (t) => {
    const messages = async (more: object) => {
      const harness = new Harness();
      await harness.open(0, more);
      harness.say(0, 1);
      await harness.tick(1000);
      await harness.tick(1000);
      harness.close(0);
      await harness.tick(1000);
      const audio = harness.journal.commits.flat().map((change) => change.audio);
      const id = harness.conversationId(0);
      const texts = harness.sent.flatMap((sent) =>
        sent.kind === 'send' ? [sent.text.replaceAll(id, 'ID')] : [],
      );
      return { audio, texts: texts.map((text) => text.replaceAll(/"id":"[^"]*"/g, '"id":"ID"')) };
    };
    const { streamClock: _clock, confirms: _confirms, ...same } = wishes as Record<string, unknown>;
    const expected = await messages(same);
    t.same(await messages(wishes), expected);
    t.notMatch(expected.texts.join('\n'), /resume_at_ms|audio_confirmed/);
    t.same(
      expected.audio.filter((audio) => audio !== undefined),
      [],
    );
  });
}

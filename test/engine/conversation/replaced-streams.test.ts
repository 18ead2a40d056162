/**
 * Tests streams of one user, source and device on two engines with one database. The newest stream takes the
 * conversation over.
 */
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { beyondStored } from '../../../src/engine/conversation/provisional-segments.js';
import type { ConversationKey } from '../../../src/journal/feeds/conversation-key.js';
import type { ShardStreams } from '../../../src/journal/feeds/stream-feed.js';
import type { SpokenSegment } from '../../../src/transcript/spoken.js';
import { until } from '../../support/until.js';
import { FakeProvider } from '../support/fake-provider.js';
import { Harness, silence, speech } from '../support/harness.js';

const pause = fixedLimits.replacedPause.value;
const isClosed = (h: Harness, slot = 0): boolean => /^close/.test(h.story(slot).at(-1) ?? '');
const replacedClose = /^close 1012 stream_replaced/;

/**
 * Creates two engines with one database. Voice 1 speaks to the first engine and voice 2 to the second, so stored words
 * show which engine they came through.
 */
const twoEngines = () => {
  const one = new Harness();
  const two = new Harness({ sharesWith: one });
  return {
    one,
    two,
    tick: async (milliseconds = 600) => {
      await one.tick(milliseconds);
      await two.tick(milliseconds);
    },
    epochs: () => one.journal.epochs + two.journal.epochs,
    words: () =>
      [...one.journal.conversations.keys()]
        .flatMap((id) => one.journal.texts(id))
        .join(' ')
        .match(/Voice \d says word \d+\./g)
        ?.sort() ?? [],
  };
};

/** Opens a stream on the first engine, and later one on the second engine. Words are spoken on both streams. */
const bothOpen = async () => {
  const fleet = twoEngines();
  await fleet.one.open(0);
  fleet.one.say(0, 1);
  await fleet.tick();
  await fleet.two.open(0);
  fleet.two.say(0, 2);
  await fleet.tick();
  return fleet;
};

t.test('the older stream stores its words, sends them, and closes', async (t) => {
  const { one, two, tick, epochs, words } = await bothOpen();
  one.say(0, 1);
  await tick();
  t.same(one.story(0).slice(-2), ['segments', one.story(0).at(-1)]);
  t.match(one.story(0).at(-1), replacedClose);
  t.equal(one.metric('sessions_failed_total'), 0);
  one.close(0, 1012);
  two.say(0, 2);
  await tick();
  await tick();
  t.notOk(isClosed(two));
  t.same(words(), [
    'Voice 1 says word 1.',
    'Voice 1 says word 2.',
    'Voice 2 says word 1.',
    'Voice 2 says word 2.',
  ]);
  t.equal(epochs(), 1, 'only the newer stream took the conversation over');
  t.equal(one.journal.conversations.size, 1);
  t.same([one.shard.sessions, one.shard.conversations], [0, 0]);
});

t.test('the older stream takes back from an engine without a valid lease', async (t) => {
  const { one, two, tick } = await bothOpen();
  one.journal.conversations.get(one.conversationId(0))!.holder = null;
  one.say(0, 1);
  await tick();
  t.notOk(isClosed(one));
  two.say(0, 2);
  await tick();
  t.match(two.story(0).at(-1), replacedClose, 'the other engine is the older one now');
});

/**
 * The streams that an engine announces. `report` simulates a second engine that reports a newer stream for each of
 * them.
 */
class Announced implements ShardStreams {
  readonly open = new Map<string, { readonly takenAt: number; readonly replaced: () => void }>();

  opened({ uid }: ConversationKey, takenAt: number, replaced: () => void): void {
    this.open.set(uid, { takenAt, replaced });
  }

  closed({ uid }: ConversationKey): void {
    this.open.delete(uid);
  }

  close(): void {}

  report(): void {
    for (const { replaced } of this.open.values()) replaced();
  }
}

t.test('a silent older stream closes at once when another engine reports a newer one', async (t) => {
  const [ofOne, ofTwo] = [new Announced(), new Announced()];
  const one = new Harness({ streams: ofOne });
  const two = new Harness({ streams: ofTwo, sharesWith: one });
  await one.open(0);
  one.say(0, 1);
  await one.tick(600);
  ofOne.report();
  await one.tick(600);
  t.notOk(isClosed(one), 'a false report changes nothing');
  one.say(0, 1);
  await one.tick(600);
  t.equal(one.journal.epochs + two.journal.epochs, 0, 'the lease is still valid');
  await two.open(0);
  const taken = (announced: Announced): number => [...announced.open.values()][0]!.takenAt;
  t.ok(taken(ofTwo) > taken(ofOne), 'the newer stream has the later time');
  ofOne.report();
  await until(() => isClosed(one));
  t.match(one.story(0).at(-1), replacedClose);
  one.close(0, 1012);
  await until(async () => {
    await one.tick(0);
    return ofOne.open.size === 0;
  }, 'the closed stream is no longer announced');
  two.say(0, 2);
  await two.tick(600);
  ofTwo.report();
  await two.tick(600);
  t.notOk(isClosed(two));
  t.equal(one.journal.epochs + two.journal.epochs, 1);
});

t.test('an older stream without a conversation closes, too', async (t) => {
  const ofOne = new Announced();
  const one = new Harness({ streams: ofOne });
  const two = new Harness({ sharesWith: one });
  await one.open(0);
  one.say(0, 1);
  await one.tick(600);
  // The stream's conversation ends by silence, and its socket stays open.
  for (let seconds = 0; seconds < 130; seconds += 10) await one.tick(10_000);
  t.notOk(isClosed(one));
  await two.open(0);
  ofOne.report();
  await until(() => isClosed(one));
  t.match(one.story(0).at(-1), replacedClose);
  t.equal(one.journal.epochs + two.journal.epochs, 0);
});

t.test('while the database is away, a report changes nothing', async (t) => {
  const ofOne = new Announced();
  const one = new Harness({ streams: ofOne });
  const two = new Harness({ sharesWith: one });
  await one.open(0);
  await two.open(0);
  one.journal.mode = 'spill';
  ofOne.report();
  await one.tick(600);
  t.notOk(isClosed(one));
});

t.test('words after the close do not take the conversation back', async (t) => {
  const { one, two, tick, epochs, words } = await bothOpen();
  one.provider.manual = true;
  one.say(0, 1);
  one.say(0, 1);
  await tick();
  one.provider.held.shift()!.answer();
  await tick();
  t.match(one.story(0).at(-1), replacedClose);
  one.close(0, 1012);
  await until(async () => {
    await one.tick(0);
    return one.shard.sessions + one.shard.conversations === 0;
  });
  one.provider.held.shift()!.answer();
  for (let round = 0; round < 3; round++) await tick();
  t.equal(epochs(), 1);
  t.equal(words().length, 4);
  two.say(0, 2);
  await tick();
  t.notOk(isClosed(two));
});

t.test('a silent older stream closes when its conversation would end', async (t) => {
  const { one, two, tick, epochs } = await bothOpen();
  for (let seconds = 0; seconds < 130; seconds += 10) {
    two.say(0, 2);
    await tick(10_000);
  }
  t.match(one.story(0).at(-1), replacedClose);
  t.notOk(isClosed(two));
  t.equal(epochs(), 1);
});

t.test('an older stream does not take the next conversation of a newer one', async (t) => {
  const { one, two, tick, epochs, words } = await bothOpen();
  const [first] = one.journal.inProgress;
  // Both streams are silent until the conversation has ended.
  await two.tick(130_000);
  await one.tick(130_000);
  t.not(first!.status, 'in_progress');
  two.say(0, 2);
  await tick();
  one.say(0, 1);
  await tick();
  t.match(one.story(0).at(-1), replacedClose);
  two.say(0, 2);
  await tick();
  t.notOk(isClosed(two));
  t.equal(epochs(), 1);
  t.equal(words().length, 5);
});

t.test('a stream that joins an older one of its engine takes the conversation over', async (t) => {
  const { one, two, tick } = await bothOpen();
  await one.open(1);
  one.say(1, 1);
  await tick();
  t.notOk(isClosed(one, 1));
  two.say(0, 2);
  await tick();
  t.match(two.story(0).at(-1), replacedClose);
  t.notOk(isClosed(one, 1));
});

t.test('a photo of the older stream is not stored', async (t) => {
  const { one, tick, epochs } = await bothOpen();
  one.journal.photoAnswer = 'fenced';
  one.text(0, { type: 'image_chunk', id: 'a', index: 0, total: 1, data: 'AAAA' });
  await tick();
  t.match(one.story(0).at(-1), replacedClose);
  t.equal(epochs(), 1);
});

t.test('a reconnect is refused for a while, unless the newer stream has ended', async (t) => {
  for (const ends of [true, false]) {
    const { one, two, tick } = await bothOpen();
    one.say(0, 1);
    await tick();
    one.close(0, 1012);
    if (ends) two.close(0);
    await tick();
    await one.open(0);
    t.equal(isClosed(one), !ends);
    if (ends) continue;
    t.match(one.story(0).at(-1), replacedClose);
    one.close(0, 1012);
    await tick(pause - 2000);
    await one.open(0);
    t.ok(isClosed(one), 'still');
    one.close(0, 1012);
    await tick(2000);
    await one.open(0);
    t.notOk(isClosed(one), 'a refused stream does not make it longer');
    two.say(0, 2);
    await tick();
    t.match(two.story(0).at(-1), replacedClose);
  }
});

t.test('two devices that reconnect at once raise at most three epochs a minute', async (t) => {
  const { one, two, tick, epochs, words } = await bothOpen();
  const perMinute = 25;
  const start = Math.max(one.clock.now, two.clock.now) + 5000;
  let most = 0;
  const raised: number[] = [];
  for (let round = 0; round < 6 * perMinute; round++) {
    for (const [voice, h] of [one, two].entries()) {
      if (h.story(0).at(-1) === 'released') await h.open(0);
      if (isClosed(h)) h.close(0, 1012);
      else h.say(0, voice + 1);
    }
    await tick();
    // `say` moves only the clock of its own engine. So both clocks are set to the same time again.
    one.clock.now = start + 2400 * (round + 1);
    two.clock.now = one.clock.now;
    raised.push(epochs());
    most = Math.max(most, raised.at(-1)! - (raised.at(-1 - perMinute) ?? 0));
  }
  t.comment(`epochs in the busiest minute: ${most}`);
  t.ok(most <= 3, `${most}`);
  t.ok(epochs() >= 3, 'the devices still take turns');
  t.equal(words().length, one.provider.utterances + two.provider.utterances);
  t.equal(new Set(words()).size, words().length);
});

t.test(
  'final words of an open utterance come once, although the newer stream continues its segment',
  async (t) => {
    const provider = new FakeProvider('local', ['en'], true);
    provider.manual = true;
    const one = new Harness({ providers: [provider] });
    const two = new Harness({ sharesWith: one });
    await one.open(0);
    for (const text of ['what is', 'what is said', 'what is said']) {
      one.stream(0, speech(1, 50));
      provider.held.shift()!.answer({ text });
      await one.tick();
    }
    const id = one.conversationId(0);
    t.match(one.journal.texts(id).join(' '), /what is/i, 'provisional words are stored');
    await two.open(0);
    two.say(0, 2);
    await two.tick();
    one.stream(0, silence());
    await one.settle();
    for (const { request, answer } of provider.held.splice(0))
      if (!request.interim) answer({ text: 'What is said here now.' });
    await one.tick();
    t.match(one.story(0).at(-1), replacedClose);
    two.say(0, 2);
    await two.tick();
    const words = one.journal.texts(id).join(' ');
    for (const word of [/what/gi, /said/gi, /now\./g, /word 1/g, /word 2/g])
      t.equal(words.match(word)?.length, 1, `${word}`);
    t.notOk(isClosed(two));
  },
);

t.test('stored provisional words are not stored again', (t) => {
  const spoken = (text: string): SpokenSegment => ({
    id: 'a',
    text,
    speaker: 'SPEAKER_00',
    speakerId: 0,
    isUser: false,
    personId: null,
    provider: 'local',
    from: 0,
    to: 1000,
  });
  const cases: readonly (readonly [stored: string | undefined, final: string, rest: string | undefined])[] = [
    [undefined, 'hello you', 'hello you'],
    ['hello', 'Hello, you there.', 'you there.'],
    ['hello you', 'Hello you.', undefined],
    ['hello you there', 'hello you', undefined],
    ['yellow', 'hello you', 'hello you'],
  ];
  for (const [stored, final, rest] of cases) {
    const shown = new Map(stored === undefined ? [] : [['a', stored]]);
    const [left] = beyondStored([spoken(final)], shown);
    t.equal(left?.text, rest, `${stored} / ${final}`);
    if (left !== undefined) t.equal(left.id === 'a', stored === undefined, 'a new id');
  }
  t.end();
});

type Step =
  | { readonly kind: 'open' | 'close' | 'say' | 'answer' | 'die'; readonly on: number }
  | { readonly kind: 'tick'; readonly on: number; readonly milliseconds: number };

const on = fc.constantFrom(0, 1);
const simple = (kind: 'open' | 'close' | 'say' | 'answer' | 'die') =>
  fc.record({ kind: fc.constant(kind), on });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: simple('open') },
  { weight: 2, arbitrary: simple('close') },
  { weight: 6, arbitrary: simple('say') },
  { weight: 5, arbitrary: simple('answer') },
  { weight: 1, arbitrary: simple('die') },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      on,
      milliseconds: fc.constantFrom(0, 0, 600, 600, 4000, 31_000),
    }),
  },
);

/** A newer stream takes over the conversation of an older stream. Then both streams may continue the last segment. */
const bothSpeak: readonly Step[] = [
  { kind: 'open', on: 0 },
  { kind: 'say', on: 0 },
  { kind: 'answer', on: 0 },
  { kind: 'tick', on: 0, milliseconds: 0 },
  { kind: 'open', on: 1 },
];

/**
 * Steps after `bothSpeak` in which a third stream continues late words of the first stream. Then the first stream says
 * more.
 */
const lateTails: Step[][] = [
  [
    { kind: 'say', on: 0 },
    { kind: 'answer', on: 0 },
    { kind: 'tick', on: 0, milliseconds: 0 },
    { kind: 'close', on: 1 },
    { kind: 'open', on: 1 },
    { kind: 'answer', on: 0 },
    { kind: 'say', on: 0 },
    { kind: 'say', on: 0 },
    { kind: 'say', on: 0 },
    { kind: 'tick', on: 0, milliseconds: 0 },
    { kind: 'tick', on: 0, milliseconds: 0 },
    { kind: 'open', on: 0 },
    { kind: 'say', on: 1 },
  ],
  [
    { kind: 'answer', on: 0 },
    { kind: 'say', on: 0 },
    { kind: 'tick', on: 0, milliseconds: 0 },
    { kind: 'close', on: 1 },
    { kind: 'open', on: 1 },
    { kind: 'tick', on: 0, milliseconds: 0 },
    { kind: 'answer', on: 0 },
    { kind: 'close', on: 0 },
    { kind: 'open', on: 0 },
    { kind: 'answer', on: 0 },
    { kind: 'tick', on: 0, milliseconds: 0 },
    { kind: 'say', on: 1 },
    { kind: 'open', on: 0 },
  ],
];

t.test('no interleaving of two engines loses or doubles a word', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 50 }), async (steps) => {
      const { one, two, tick, words } = twoEngines();
      const engines = [one, two] as const;
      const open = [false, false];
      for (const h of engines) h.provider.manual = true;
      for (const action of [...bothSpeak, ...steps]) {
        const h = engines[action.on]!;
        switch (action.kind) {
          case 'open':
            if (!open[action.on]) await h.open(0);
            open[action.on] = true;
            break;
          case 'close':
            if (open[action.on]) h.close(0);
            open[action.on] = false;
            await h.settle();
            break;
          case 'say':
            if (open[action.on] && !isClosed(h)) h.say(0, action.on + 1);
            break;
          case 'answer':
            h.provider.held.shift()?.answer();
            await h.settle();
            break;
          case 'die':
            // The lease of this engine expires. The engine is not dead: it only hangs, and continues later.
            for (const held of h.journal.inProgress) if (held.holder === h.journal) held.holder = null;
            break;
          case 'tick':
            await h.tick(action.milliseconds);
        }
        for (const [index, each] of engines.entries()) {
          if (!open[index] || !isClosed(each)) continue;
          open[index] = false;
          each.close(0, 1012);
          await each.settle();
        }
      }
      for (const [index, h] of engines.entries()) {
        if (open[index]) h.close(0);
        await h.settle();
        for (const held of h.provider.held.splice(0)) held.answer();
      }
      for (let round = 0; round < 4; round++) await tick();
      const said = one.provider.utterances + two.provider.utterances;
      const stored = words();
      return (
        stored.length === said &&
        new Set(stored).size === said &&
        engines.every(({ shard }) => shard.sessions + shard.conversations === 0)
      );
    }),
    {
      numRuns: 300,
      examples: lateTails.map((steps) => [steps]),
      interruptAfterTimeLimit: 30_000,
      markInterruptAsFailure: false,
    },
  );
  t.pass('held for every history tried');
});

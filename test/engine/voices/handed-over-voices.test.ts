/** Engines with one database hand over the voices of a conversation, so that its speakers keep their numbers. */
import t from 'tap';
import { speakerModel } from '../../../src/models/speaker-model.js';
import { Harness, type HarnessOptions, silence, speech } from '../support/harness.js';
import { tellDirections } from './voice-directions.js';

const recognition = { model: 'ge2e', dimensions: 16, rule: speakerModel('ge2e').rule };

const engine = (options: HarnessOptions = {}): Harness =>
  new Harness({ tellVoices: tellDirections, recognition, ...options });

/** Sends about the given seconds of speech. Waits until it is stored. */
const say = async (h: Harness, voice: number, seconds = 4): Promise<void> => {
  h.stream(0, [...speech(voice, seconds * 50), ...silence()]);
  await h.tick((seconds + 0.6) * 1000);
  await h.tick();
};

/** Returns the stored segments, each as the voice that the fake provider received and the number of the speaker. */
const speakers = (h: Harness): string[] =>
  [...h.journal.conversations.keys()].flatMap((id) =>
    h.journal
      .live(id)
      .map(({ segment }) => `${segment.text.match(/Voice (\d+)/)?.[1]}:${segment.speaker_id}`),
  );

const kept = (h: Harness) => [...h.journal.conversations.values()].map(({ voices }) => voices);
const stored = (h: Harness): number => h.metric('voices_stored_total');

const drain = async (h: Harness): Promise<void> => {
  const drained = h.shard.drain();
  await h.settle();
  await drained;
};

/** Continues a conversation on a new engine. @param voices the voices that speak on the new engine. */
const continueOn = async (one: Harness, options: HarnessOptions, ...voices: number[]): Promise<Harness> => {
  const two = engine({ sharesWith: one, ...options });
  two.clock.now = one.clock.now;
  await two.open(0);
  for (const voice of voices) await say(two, voice);
  return two;
};

t.test('speakers keep their numbers after a drain', async (t) => {
  const one = engine();
  await one.open(0);
  for (const voice of [1, 2, 3]) await say(one, voice);
  await drain(one);
  const two = await continueOn(one, {}, 3, 1, 4, 2);
  t.same(speakers(two), ['1:0', '2:1', '3:2', '3:2', '1:0', '4:3', '2:1']);
  t.equal(two.metric('voices_restored_total'), 1);
  two.close(0);
  await two.tick();
  const three = await continueOn(two, {}, 4, 1);
  t.same(speakers(three).slice(-2), ['4:3', '1:0'], 'and after a further move');
});

t.test('speakers keep their numbers after a crash', async (t) => {
  const one = engine();
  await one.open(0);
  for (const voice of [1, 2, 1]) await say(one, voice);
  t.equal(one.journal.log.includes('release with voices'), false);
  const two = await continueOn(one, {}, 2, 1);
  t.same(speakers(two).slice(-2), ['2:1', '1:0']);
});

t.test('a newer stream on another engine knows the voices of the older one', async (t) => {
  const one = engine();
  await one.open(0);
  for (const voice of [1, 2]) await say(one, voice);
  const two = await continueOn(one, {}, 2);
  await say(one, 3);
  t.match(one.story(0).at(-1), /^close 1012 stream_replaced/);
  one.close(0, 1012);
  await one.tick();
  await say(two, 1);
  t.same(
    speakers(two).filter((speaker) => !speaker.startsWith('3')),
    ['1:0', '2:1', '2:1', '1:0'],
  );
});

t.test('an engine that gets a conversation back uses the voices that the other one found', async (t) => {
  const one = engine();
  await one.open(0);
  await say(one, 1);
  one.close(0);
  await one.tick();
  const two = await continueOn(one, {}, 2, 1);
  two.close(0);
  await two.tick();
  one.clock.now = two.clock.now;
  await one.open(0);
  for (const voice of [3, 2, 1]) await say(one, voice);
  t.same(speakers(one), ['1:0', '2:1', '1:0', '3:2', '2:1', '1:0']);
});

t.test('numbers of an engine without stored voices are not given again', async (t) => {
  const one = engine();
  await one.open(0);
  await say(one, 1);
  one.close(0);
  await one.tick();
  const two = await continueOn(one, { recognition: null }, 2);
  two.close(0);
  await two.tick();
  one.clock.now = two.clock.now;
  await one.open(0);
  for (const voice of [3, 1]) await say(one, voice);
  t.same(speakers(one), ['1:0', '2:1', '3:2', '1:0']);
});

t.test('voices are not stored if recognition is off, or the client turned it off', async (t) => {
  for (const [why, options, wishes] of [
    ['operator', { recognition: null }, {}],
    ['client', {}, { includeSpeechProfile: false }],
  ] as const) {
    const one = engine(options);
    await one.open(0, wishes);
    for (const voice of [1, 2]) await say(one, voice);
    await drain(one);
    t.same(kept(one), [undefined], why);
    t.equal(stored(one), 0);
    const two = await continueOn(one, {}, 2);
    t.same(speakers(two).at(-1), '2:2', 'the speakers get new numbers');
  }
});

t.test('voices are stored with words, at most once a minute, or when a voice is new', async (t) => {
  const one = engine();
  await one.open(0, { conversationTimeout: 3600 });
  await say(one, 1);
  t.equal(stored(one), 1, 'a new voice');
  for (let turn = 0; turn < 5; turn++) await say(one, 1);
  t.equal(stored(one), 1, 'the same voice, within a minute');
  await say(one, 2);
  t.equal(stored(one), 2, 'another new voice');
  await one.tick(61_000);
  const commits = one.journal.commits.length;
  for (let minute = 0; minute < 100; minute++) await one.tick();
  t.same([stored(one), one.journal.commits.length], [2, commits], 'silence writes nothing');
  await say(one, 1);
  t.equal(stored(one), 3, 'a minute later');
  one.close(0);
  await one.tick();
  const after = stored(one);
  for (let time = 0; time < 3; time++) {
    await one.open(0, { conversationTimeout: 3600 });
    await one.tick();
    one.close(0);
    await one.tick();
  }
  t.equal(stored(one), after, 'a reconnect without speech writes nothing');
});

t.test('voices that were not stored are stored later', async (t) => {
  const one = engine();
  await one.open(0);
  one.journal.mode = 'spill';
  await say(one, 1);
  t.same([stored(one), kept(one)], [0, [undefined]]);
  one.journal.mode = 'database';
  one.close(0);
  await one.tick();
  t.equal(stored(one), 1);
});

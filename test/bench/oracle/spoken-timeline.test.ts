/**
 * Tests the audio of the oracle's wearables: the core detects each burst as one utterance, and the burst's token
 * remains readable.
 */
import fc from 'fast-check';
import t from 'tap';
import { oracleRate, speechBursts } from '../../../bench/oracle/speech-bursts.js';
import { SpokenTimeline } from '../../../bench/oracle/spoken-timeline.js';
import { readTokens } from '../../../bench/oracle/token-code.js';
import { Bench, bytesOf, coreKinds, cut } from '../../audio/support.js';

const bursts = await speechBursts();
const timelineOf = (wearable: number, seed = 1): SpokenTimeline =>
  new SpokenTimeline({ wearable, bursts, silence: [1600, 2400], seed });

const sameAudio = (one: Int16Array, other: Int16Array): boolean =>
  Buffer.from(one.buffer).equals(Buffer.from(other.buffer));

t.test('any part of the audio can be made again', async (t) => {
  const whole = timelineOf(3).audio(0, 20 * oracleRate);
  const position = fc.integer({ min: 0, max: whole.length });
  fc.assert(
    fc.property(position, position, (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      return sameAudio(timelineOf(3).audio(from, to), whole.slice(from, to));
    }),
    { numRuns: 30 },
  );
  t.notOk(sameAudio(timelineOf(3, 2).audio(0, whole.length), whole), 'another seed, other audio');
});

t.test('the speech ends with the burst that has begun', async (t) => {
  const timeline = timelineOf(0);
  const third = timeline.burst(2);
  timeline.endAt(third.from + 1);
  t.equal(timeline.countBefore(60 * oracleRate), 3);
  t.same(
    timeline.burstsBefore(third.from).map(({ token }) => token),
    [0, 1],
  );
  t.same(timeline.burstsBetween(third.to - 1, 60 * oracleRate), [third]);
  t.ok(timeline.audio(third.to, third.to + oracleRate).every((sample) => sample === 0));
});

for (const kind of coreKinds) {
  t.test(`the ${kind.name} core finds each burst`, async (t) => {
    const bench = await Bench.open(kind, { frameQueueDuration: 10_000 });
    bench.core.open(1, { codec: 'pcm16', sampleRate: oracleRate, channels: 1 });
    const timeline = new SpokenTimeline({ wearable: 5, bursts, silence: [1600, 1600], seed: 7 });
    const count = 3 * bursts.length;
    const end = timeline.burst(count).from;
    const used = new Set(timeline.burstsBefore(end).map(({ speech }) => speech)).size;
    t.comment(`${used} of ${bursts.length} bursts in ${(end / oracleRate).toFixed(0)} s`);
    await bench.play(1, cut(bytesOf(timeline.audio(0, end)), 3200), 100);
    const found = bench.of(1).map(({ pcm }) =>
      readTokens(pcm)
        .filter(({ isAnchored }) => isAnchored)
        .map(({ token }) => token),
    );
    t.same(
      found,
      timeline.burstsBefore(end).map(({ token }) => [token]),
    );
  });
}

/** Tests the waiting times of windows that a shard with stopped clocks counts. */
import t from 'tap';
import { bucketOf } from '../../../src/metrics/histogram.js';
import { speechBytes } from '../support/fake-core.js';
import { Harness, silence, speech } from '../support/harness.js';

const waits: readonly (readonly [what: string, ms: number])[] = [
  ['at once', 0],
  ['less than a millisecond', 0.37],
  ['a turn', 8],
  ['a turn and a fraction', 12.34],
  ['a stall', 1500],
];

for (const synchronous of [true, false]) {
  t.test(`counts the delay of every window once (${synchronous ? 'at once' : 'later'})`, async (t) => {
    for (const [what, ms] of waits) {
      const h = new Harness({ synchronous });
      await h.open(0);
      h.frames(0, [0, 0, 0]);
      h.clock.now += ms;
      await h.settle();
      const { counts, sum } = h.distribution('frame_to_vad_seconds');
      t.same(
        [...counts.entries()].filter(([, count]) => count > 0),
        [[bucketOf(ms / 1000), 3]],
        what,
      );
      t.ok(Math.abs(sum - (3 * ms) / 1000) < 0.000_05, `${sum} s altogether`);
      t.equal(h.metric('vad_windows_total'), 3);
    }
  });

  t.test(
    `counts the last windows of a closed stream, too (${synchronous ? 'at once' : 'later'})`,
    async (t) => {
      const h = new Harness({ synchronous });
      await h.open(0);
      await h.open(1);
      h.stream(0, [...speech(4), ...silence()]);
      h.frames(1, speech(5));
      h.close(1);
      h.close(0);
      await h.tick();
      const { counts } = h.distribution('frame_to_vad_seconds');
      t.equal(
        counts.reduce((sum, count) => sum + count, 0),
        h.metric('frames_decoded_total'),
      );
      t.equal(h.metric('vad_windows_total'), h.metric('frames_decoded_total'));
    },
  );
}

t.test("counts no delay for an arrival in the future of this thread's clock", async (t) => {
  const h = new Harness();
  await h.open(0);
  h.ahead = 1;
  h.frames(0, [0]);
  await h.settle();
  t.equal(h.distribution('frame_to_vad_seconds').counts[0], 1);
});

t.test('reports the memory of speech only for streams that have some', async (t) => {
  const h = new Harness();
  await h.open(0);
  await h.open(1);
  h.stream(0, speech(3));
  h.stream(1, speech(4));
  await h.tick();
  t.equal(h.metric('speech_buffer_bytes'), 2 * speechBytes);
  h.stream(0, silence());
  await h.tick();
  t.equal(h.metric('speech_buffer_bytes'), speechBytes);
  h.close(1);
  await h.tick();
  t.equal(h.metric('speech_buffer_bytes'), 0);
});

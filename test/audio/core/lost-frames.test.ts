/** Frames lost before they reached the core become a gap at their position. Tests both cores. */
import t from 'tap';
import { CoreEvent } from '../../../src/audio/interface/core.js';
import type { StreamFormat } from '../../../src/wire/stream.js';
import {
  Bench,
  bytesOf,
  coreKinds,
  cut,
  encodeOpus,
  labels,
  speech,
  stretch,
  withoutNative,
} from '../support.js';

if (withoutNative) t.pass('the native core', { skip: withoutNative });

const until = labels[1]!.end + 24_000;
const audio = speech.slice(0, until);
/** A position between the first utterance and the second, in samples. */
const gapAt = labels[0]!.end + 8000;

const pcm = (rate: number, bytes: number, channels: 1 | 2 = 1) => ({
  title: `pcm16 of ${rate} Hz in messages of ${bytes} bytes`,
  format: { codec: 'pcm16', sampleRate: rate, channels } satisfies StreamFormat,
  frames: cut(bytesOf(stretch(audio, rate, channels)), bytes),
  ms: (bytes * 1000) / (rate * 2 * channels),
});

const streams = [
  pcm(16_000, 640),
  // PCM messages that end in the middle of a sample.
  pcm(16_000, 333),
  pcm(8000, 320),
  pcm(48_000, 1921, 2),
  {
    title: 'opus',
    format: { codec: 'opus', sampleRate: 16_000, channels: 1 } satisfies StreamFormat,
    frames: encodeOpus(audio, 16_000, 1, 20),
    ms: 20,
  },
];

for (const kind of coreKinds) {
  for (const { title, format, frames, ms } of streams) {
    t.test(`${kind.name}: keeps times after lost frames of ${title}`, async (t) => {
      const bench = await Bench.open(kind);
      bench.core.open(0, format);
      const first = Math.floor(gapAt / 16 / ms);
      const lost = Math.round(500 / ms);
      await bench.play(0, frames.slice(0, first), ms);
      bench.core.lose(0, 1, frames[first]!.length);
      const bytes = frames.slice(first + 1, first + lost).reduce((sum, { length }) => sum + length, 0);
      bench.core.lose(0, lost - 1, bytes);
      bench.core.lose(63, 1, 1);
      await bench.play(0, frames.slice(first + lost), ms);
      const drops = bench.events.filter((event) => event.kind === CoreEvent.dropped);
      t.equal(drops.length, 1, 'one burst, one event');
      t.equal(drops[0]?.a, lost);
      t.ok(Math.abs((drops[0]?.b ?? 0) - lost * ms * 16) <= 1, `${drops[0]?.b} samples`);
      t.ok(Math.abs((drops[0]?.c ?? 0) - first * ms * 16) <= 512, `at ${drops[0]?.c}`);
      t.equal(bench.core.status(0).framesDropped, 0, 'counted where they were lost');
      const { start, end } = labels[1]!;
      const found = bench
        .of(0)
        .some((one) => one.speechStart <= start + 4800 && one.speechEnd >= end - 4800 && one.start > gapAt);
      t.ok(found, 'what follows is found at its true place');
      bench.core.destroy();
    });
  }
}

/** The audio budget of a stream counts duration, not bytes. Tests both cores. */
import t from 'tap';
import { type AudioBudget, CoreEvent } from '../../../src/audio/interface/core.js';
import type { StreamFormat } from '../../../src/wire/stream.js';
import {
  labels as allLabels,
  speech as allSpeech,
  Bench,
  bytesOf,
  coreKinds,
  cut,
  encodeOpus,
  stretch,
  withoutNative,
} from '../support.js';

if (withoutNative) t.pass('the native core', { skip: withoutNative });

/** Two utterances are enough for these tests. */
const labels = allLabels.slice(0, 2);
const speech = allSpeech.slice(0, labels[1]!.end + 24_000);

/** Three bytes of Opus that last 120 ms: two empty frames of 60 ms. */
const tiny = Uint8Array.of(0x1b, 0x82, 0);

interface Stream {
  readonly title: string;
  readonly format: StreamFormat;
  readonly frames: Uint8Array[];
  /** Duration of one frame, ms. */
  readonly ms: number;
}

const pcm = (rate: number, channels: 1 | 2, bytes: number): Stream => ({
  title: `pcm16 ${rate} Hz, ${channels} channel(s), ${bytes} bytes`,
  format: { codec: 'pcm16', sampleRate: rate, channels },
  frames: cut(bytesOf(stretch(speech, rate, channels)), bytes),
  ms: (bytes * 1000) / (rate * 2 * channels),
});

const streams: readonly Stream[] = [
  pcm(16_000, 1, 640),
  // PCM messages that end in the middle of a sample.
  pcm(16_000, 1, 333),
  pcm(48_000, 2, 1921),
  {
    title: 'opus',
    format: { codec: 'opus', sampleRate: 16_000, channels: 1 },
    frames: encodeOpus(speech, 16_000, 1, 20),
    ms: 20,
  },
];

for (const kind of coreKinds) {
  t.test(kind.name, async (t) => {
    const open = async (format: StreamFormat, budget: AudioBudget): Promise<Bench> => {
      const bench = await Bench.open(kind, { budget });
      bench.core.open(0, format);
      return bench;
    };
    const status = (bench: Bench) => bench.core.status(0);
    const told = (bench: Bench, of: number) => bench.events.filter((event) => event.kind === of);

    await t.test('counts a packet of three bytes that stands for 120 ms as 120 ms', async (t) => {
      const bench = await open(
        { codec: 'opus', sampleRate: 16_000, channels: 1 },
        { pace: 4, backlog: 12_000 },
      );
      for (let batch = 0; batch < 100; batch++) {
        for (let frame = 0; frame < 8; frame++) bench.push([[0, tiny]]);
        await bench.turn(true);
      }
      const { framesDecoded, framesInvalid, framesOverBudget, position } = status(bench);
      t.equal(framesDecoded + framesInvalid, 100, '12 s');
      t.equal(framesOverBudget, 700);
      t.ok(position <= 192_000, `${position} samples`);
      bench.now += 8;
      await bench.turn();
      const events = told(bench, CoreEvent.overBudget);
      t.equal(
        events.reduce((sum, { a }) => sum + a, 0),
        700,
        'every frame is told of',
      );
      bench.core.destroy();
    });

    await t.test('decodes a stream at real-time pace, and a permitted backlog, completely', async (t) => {
      const bounds = (bench: Bench) => bench.of(0).map(({ start, speechEnd }) => [start, speechEnd]);
      for (const { title, format, frames, ms } of streams.slice(1)) {
        const free = await Bench.open(kind);
        free.core.open(0, format);
        await free.play(0, frames, ms);
        const paced = await open(format, { pace: 1, backlog: 1000 });
        await paced.play(0, frames, ms);
        t.same(bounds(paced), bounds(free), title);
        const away = await open(format, { pace: 1, backlog: 120_000 });
        await away.play(0, frames, 0.01);
        t.same(bounds(away), bounds(free), `${title}, at once`);
        for (const bench of [free, paced, away]) {
          t.equal(status(bench).framesOverBudget, 0);
          bench.core.destroy();
        }
      }
    });

    await t.test('turns audio over the budget into a gap, and keeps the times of later audio', async (t) => {
      for (const { title, format, frames, ms } of streams) {
        // The first utterance ends at 7.7 s, and the second begins at 9.1 s.
        const bench = await open(format, { pace: 4, backlog: 8300 });
        const taken = Math.floor(8300 / ms + 1e-9);
        const refused = Math.floor(500 / ms);
        for (const frame of frames.slice(0, taken + refused)) {
          bench.push([[0, frame]]);
          await bench.turn();
        }
        t.equal(status(bench).framesOverBudget, refused, title);
        bench.now += 1000;
        bench.push([[0, frames[taken + refused]!]]);
        t.equal(status(bench).framesOverBudget, refused + 1, 'half of the backlog is not earned yet');
        bench.now += 100;
        await bench.play(0, frames.slice(taken + refused + 1), ms);
        const [drop, ...more] = told(bench, CoreEvent.dropped);
        t.same(more, [], 'one burst, one event');
        t.equal(drop?.a, refused + 1);
        t.ok(Math.abs((drop?.b ?? 0) - (refused + 1) * ms * 16) <= 1, `${drop?.b} samples`);
        t.ok(Math.abs((drop?.c ?? 0) - taken * ms * 16) <= 512, `at ${drop?.c}`);
        t.equal(status(bench).framesOverBudget, refused + 1);
        t.equal(status(bench).framesDropped, 0);
        t.ok(Math.abs(status(bench).position - speech.length) < 700, 'the clock is true');
        for (const { start, end } of labels) {
          const covered = bench
            .of(0)
            .some((one) => one.speechStart <= start + 4800 && one.speechEnd >= end - 4800);
          t.ok(covered, `${title}: speech from ${start} to ${end}`);
        }
        bench.core.destroy();
      }
    });

    await t.test('places the gap after audio that waits to be decoded', async (t) => {
      for (const { title, format, frames, ms } of streams) {
        const bench = await open(format, { pace: 1, backlog: 1000 });
        const taken = Math.floor(1000 / ms + 1e-9);
        const refused = Math.ceil(200 / ms);
        for (const frame of frames.slice(0, taken + refused)) bench.push([[0, frame]]);
        bench.now += 501;
        for (const frame of frames.slice(taken + refused, taken + refused + 10)) bench.push([[0, frame]]);
        await bench.turn(true);
        const [drop] = told(bench, CoreEvent.dropped);
        t.equal(drop?.a, refused, title);
        t.ok(Math.abs((drop?.c ?? 0) - taken * ms * 16) <= 512, `${title}: at ${drop?.c}`);
        await bench.flush(0);
        const sent = (taken + refused + 10) * ms * 16;
        t.ok(Math.abs(status(bench).position - sent) <= 60, `${title}: ${status(bench).position} of ${sent}`);
        bench.core.destroy();
      }
    });

    await t.test('a stream over its budget does not affect other streams', async (t) => {
      const bench = await Bench.open(kind, { budget: { pace: 4, backlog: 10_000 } });
      const format: StreamFormat = { codec: 'opus', sampleRate: 16_000, channels: 1 };
      bench.core.open(0, format);
      bench.core.open(1, format);
      const frames = encodeOpus(speech.slice(0, 160_000), 16_000, 1, 20);
      for (const frame of frames) {
        bench.push([[1, frame], ...new Array<[number, Uint8Array]>(20).fill([0, tiny])]);
        bench.now += 20;
        await bench.turn();
      }
      t.match(bench.core.status(1), { framesOverBudget: 0, framesDecoded: frames.length, framesDropped: 0 });
      t.ok(status(bench).framesOverBudget > frames.length * 15);
      bench.core.destroy();
    });
  });
}

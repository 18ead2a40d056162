/** Tests the behaviour that all cores have in common. */
import t from 'tap';
import { CoreEvent, type Utterance } from '../../../src/audio/interface/core.js';
import { Resampler } from '../../../src/audio/portable/resampler.js';
import { type Codec, codecs, type StreamFormat } from '../../../src/wire/stream.js';
import {
  Bench,
  bytesOf,
  coreKinds,
  cut,
  encodeOpus,
  gateOptions,
  halved,
  labels,
  seededNoise,
  speech,
  stretch,
  withoutNative,
} from '../support.js';
import { encodeAac, encodeLc3, hasTool } from '../tools.js';

if (withoutNative) t.pass('the native core', { skip: withoutNative });

const toBytes8 = (pcm: Int16Array): Uint8Array => Uint8Array.from(pcm, (sample) => (sample >> 8) + 128);

interface Case {
  readonly title: string;
  readonly format: StreamFormat;
  frames(): Uint8Array[];
}

const pcm16 = (rate: number, channels: 1 | 2): Case => ({
  title: `pcm16 ${rate} Hz, ${channels} channel(s)`,
  format: { codec: 'pcm16', sampleRate: rate, channels },
  frames: () => cut(bytesOf(stretch(speech, rate, channels)), Math.floor(rate / 50) * 2 * channels),
});

const opus = (codec: Codec, rate: number, channels: 1 | 2, frameMs: number): Case => ({
  title: `${codec} ${rate} Hz, ${channels} channel(s), ${frameMs} ms`,
  format: { codec, sampleRate: rate, channels },
  frames: () => encodeOpus(stretch(speech, rate, channels), rate, channels, frameMs),
});

const cases: Case[] = [
  {
    title: 'pcm8 16000 Hz',
    format: { codec: 'pcm8', sampleRate: 16_000, channels: 1 },
    frames: () => cut(toBytes8(speech), 320),
  },
  {
    title: 'pcm8 8000 Hz',
    format: { codec: 'pcm8', sampleRate: 8000, channels: 1 },
    frames: () => cut(toBytes8(stretch(speech, 8000)), 160),
  },
  pcm16(8000, 2),
  pcm16(16_000, 1),
  pcm16(16_000, 2),
  pcm16(44_100, 1),
  pcm16(48_000, 2),
  pcm16(11_025, 1),
  opus('opus', 16_000, 1, 10),
  opus('opus', 16_000, 1, 20),
  opus('opus_fs320', 16_000, 1, 20),
  opus('opus', 48_000, 2, 60),
  opus('opus', 8000, 1, 120),
  opus('opus', 24_000, 1, 2.5),
];

const lc3 = (codec: Codec, rate: number, channels: 1 | 2, frameBytes: number): Case => ({
  title: `${codec} ${rate} Hz, ${channels} channel(s), ${frameBytes} bytes`,
  format: { codec, sampleRate: rate, channels },
  frames: () => encodeLc3(stretch(speech, rate, channels), rate, channels, frameBytes),
});

const aac = (rate: number, channels: 1 | 2, declared: number): Case => ({
  title: `aac ${rate} Hz, declared ${declared} Hz, ${channels} channel(s)`,
  format: { codec: 'aac', sampleRate: declared, channels },
  frames: () => encodeAac(stretch(speech, rate, channels), rate, channels),
});

if (hasTool('elc3', '-h')) {
  cases.push(
    lc3('lc3_fs1030', 16_000, 1, 30),
    lc3('lc3', 16_000, 1, 40),
    lc3('lc3', 8000, 1, 40),
    lc3('lc3', 24_000, 1, 60),
    lc3('lc3', 32_000, 1, 80),
    lc3('lc3', 48_000, 2, 100),
  );
} else {
  t.pass('LC3', { skip: 'elc3 is missing (Debian: liblc3-tools)' });
}
if (hasTool('ffmpeg', '-version')) {
  cases.push(aac(16_000, 1, 16_000), aac(16_000, 2, 16_000), aac(44_100, 1, 8000), aac(8000, 1, 8000));
} else {
  t.pass('AAC', { skip: 'ffmpeg is missing' });
}

const covers = (utterances: readonly Utterance[], label: { start: number; end: number }): boolean => {
  // Tolerance in samples. Detection errors at a soft onset or end are smaller than the 300 ms around an utterance.
  const slack = 0.3 * 16_000;
  const first = utterances.find(
    (u) => u.speechStart <= label.start + slack && u.speechEnd > label.start + slack,
  );
  const last = utterances.find((u) => u.speechEnd >= label.end - slack && u.speechStart < label.end - slack);
  return first !== undefined && last !== undefined;
};

/** The frames are encoded once and used for every core. */
const made = new Map<string, Uint8Array[]>();

for (const kind of coreKinds) {
  void t.test(kind.name, async (t) => {
    for (const { title, format, frames } of cases) {
      await t.test(`finds the speech in ${title}`, async (t) => {
        const bench = await Bench.open(kind);
        if (!bench.core.capabilities.codecs.includes(format.codec)) {
          t.comment(`this core has no ${format.codec}`);
          t.throws(() => bench.core.open(7, format), { code: 'codec_unavailable' });
          bench.core.destroy();
          return;
        }
        bench.core.open(7, format);
        const list = made.get(title) ?? frames();
        made.set(title, list);
        await bench.play(7, list);
        const utterances = bench.of(7);
        labels.forEach((label, i) => {
          t.ok(covers(utterances, label), `utterance ${i} lies in what was found`);
        });
        const { position, framesInvalid, framesDropped, framesDecoded, speaking } = bench.core.status(7);
        t.ok(Math.abs(position - speech.length) < 2400, `the clock says ${position} of ${speech.length}`);
        t.match(
          { framesInvalid, framesDropped, framesDecoded, speaking },
          { framesInvalid: 0, framesDropped: 0, framesDecoded: list.length, speaking: false },
        );
        bench.core.destroy();
      });
    }

    await t.test('returns exactly the samples that it received', async (t) => {
      const bench = await Bench.open(kind);
      bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
      await bench.play(0, cut(bytesOf(speech), 640));
      t.ok(bench.of(0).length >= 5);
      for (const { pcm, start, speechStart, speechEnd } of bench.of(0)) {
        t.same(Buffer.compare(bytesOf(pcm), bytesOf(speech.slice(start, start + pcm.length))), 0);
        t.ok(start <= speechStart && speechStart < speechEnd && speechEnd <= start + pcm.length);
      }
      bench.core.destroy();
    });

    await t.test('decodes 8-bit samples as unsigned, with silence at 128', async (t) => {
      const bytes = Uint8Array.from(speech, (sample) => (sample >> 8) + 128);
      const wide = Int16Array.from(bytes, (byte) => (byte - 128) * 256);
      const bench = await Bench.open(kind);
      bench.core.open(0, { codec: 'pcm8', sampleRate: 16_000, channels: 1 });
      await bench.play(0, cut(bytes, 320));
      t.ok(bench.of(0).length >= 3);
      for (const { pcm, start } of bench.of(0)) {
        t.equal(Buffer.compare(bytesOf(pcm), bytesOf(wide.slice(start, start + pcm.length))), 0);
      }
      bench.core.destroy();
    });

    await t.test('returns the mean of both stereo channels, also if they are loud', async (t) => {
      const loud = speech.map((sample) => Math.max(-32_768, Math.min(32_767, 6 * sample)));
      const right = loud.map((sample) => sample - (sample >> 2));
      const both = new Int16Array(2 * loud.length);
      for (const [at, sample] of loud.entries()) both.set([sample, right[at]!], 2 * at);
      const mean = loud.map((sample, at) => (sample + right[at]!) >> 1);
      const bench = await Bench.open(kind);
      bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 2 });
      await bench.play(0, cut(bytesOf(both), 1280));
      t.ok(bench.of(0).length >= 5);
      for (const { pcm, start } of bench.of(0)) {
        t.equal(Buffer.compare(bytesOf(pcm), bytesOf(mean.slice(start, start + pcm.length))), 0);
      }
      bench.core.destroy();
    });

    await t.test('returns speech of 8 kHz as if it had been resampled completely', async (t) => {
      const narrow = halved(speech);
      const padded = new Int16Array(narrow.length + 1000);
      padded.set(narrow);
      const expected = new Resampler(8000).process(padded);
      for (const size of [320, 333]) {
        const bench = await Bench.open(kind);
        bench.core.open(0, { codec: 'pcm16', sampleRate: 8000, channels: 1 });
        await bench.play(0, cut(bytesOf(narrow), size));
        t.ok(bench.of(0).length >= 5);
        for (const { pcm, start } of bench.of(0)) {
          const worst = pcm.reduce(
            (most, sample, i) => Math.max(most, Math.abs(sample - expected[start + i]!)),
            0,
          );
          // A different order of summation can round differently.
          t.ok(worst <= 1, `within ${worst} from ${start} on`);
        }
        t.equal(bench.core.status(0).position, 2 * narrow.length);
        bench.core.destroy();
      }
    });

    await t.test('decodes streams of both rates together with the same results as alone', async (t) => {
      const inputs: [number, Uint8Array[]][] = [
        [16_000, cut(bytesOf(speech), 640)],
        [8000, cut(bytesOf(halved(speech)), 320)],
        [8000, cut(bytesOf(halved(speech.slice(90_000))), 320)],
      ];
      const bounds = (list: readonly Utterance[]) =>
        list.map(({ start, speechStart, speechEnd }) => [start, speechStart, speechEnd]);
      const together = await Bench.open(kind);
      for (let h = 0; h < 9; h++) {
        together.core.open(h, { codec: 'pcm16', sampleRate: inputs[h % 3]![0], channels: 1 });
      }
      for (let f = 0; f < inputs[0]![1].length; f++) {
        const batch: (readonly [number, Uint8Array])[] = [];
        for (let h = 0; h < 9; h++) {
          const frame = inputs[h % 3]![1][f];
          if (frame) batch.push([h, frame]);
        }
        together.push(batch);
        together.now += 20;
        await together.turn();
      }
      for (let h = 0; h < 9; h++) await together.flush(h);
      for (const [i, [sampleRate, frames]] of inputs.entries()) {
        const alone = await Bench.open(kind);
        alone.core.open(0, { codec: 'pcm16', sampleRate, channels: 1 });
        await alone.play(0, frames);
        t.ok(alone.of(0).length >= 3);
        for (let h = i; h < 9; h += 3) t.same(bounds(together.of(h)), bounds(alone.of(0)), `stream ${h}`);
        alone.core.destroy();
      }
      together.core.destroy();
    });

    await t.test('returns the same results wherever messages split samples', async (t) => {
      const results: unknown[] = [];
      for (const size of [640, 641, 333, 4001]) {
        const bench = await Bench.open(kind);
        bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
        await bench.play(0, cut(bytesOf(speech), size));
        results.push(bench.events.map(({ kind, a, b }) => [kind, a, b]));
        bench.core.destroy();
      }
      for (const other of results.slice(1)) t.same(other, results[0]);
    });

    await t.test('keeps streams apart', async (t) => {
      const bench = await Bench.open(kind);
      const alone = await Bench.open(kind);
      const format: StreamFormat = { codec: 'pcm16', sampleRate: 16_000, channels: 1 };
      const noise = seededNoise(5);
      const inputs = [
        speech,
        new Int16Array(speech.length),
        Int16Array.from(speech, () => noise() * 300),
        speech.slice(80_000),
      ];
      for (let h = 0; h < 20; h++) bench.core.open(h, format);
      alone.core.open(0, format);
      await alone.play(0, cut(bytesOf(speech), 640));
      const frames = inputs.map((pcm) => cut(bytesOf(pcm), 640));
      for (let f = 0; f < frames[0]!.length; f++) {
        const batch: (readonly [number, Uint8Array])[] = [];
        for (let h = 0; h < 20; h++) {
          const frame = frames[h % 4]![f];
          if (frame) batch.push([h, frame]);
        }
        bench.push(batch);
        bench.now += 20;
        await bench.turn();
      }
      for (let h = 0; h < 20; h++) await bench.flush(h);
      const bounds = (list: readonly Utterance[]) =>
        list.map(({ start, speechStart, speechEnd }) => [start, speechStart, speechEnd]);
      for (let h = 0; h < 20; h += 4) {
        t.same(bounds(bench.of(h)), bounds(alone.of(0)), 'as if alone');
        t.same(bench.of(h + 1), [], 'nothing in silence');
        t.same(bench.of(h + 2), [], 'nothing in noise');
      }
      bench.core.destroy();
      alone.core.destroy();
    });

    await t.test('finds no speech in tones', async (t) => {
      const bench = await Bench.open(kind);
      for (const [h, hertz] of [200, 440, 1000, 3000].entries()) {
        bench.core.open(h, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
        const tone = Int16Array.from(
          { length: 80_000 },
          (_, i) => 8000 * Math.sin((2 * Math.PI * hertz * i) / 16_000),
        );
        await bench.play(h, cut(bytesOf(tone), 640));
        t.same(bench.of(h), [], `${hertz} Hz`);
      }
      bench.core.destroy();
    });

    await t.test(
      'drops the oldest frames of a full queue, in one event, and keeps the times right',
      async (t) => {
        for (const codec of ['pcm16', 'opus'] as const) {
          const bench = await Bench.open(kind);
          bench.core.open(1, { codec, sampleRate: 16_000, channels: 1 });
          const five = speech.slice(0, 80_000);
          const frames = codec === 'opus' ? encodeOpus(five, 16_000, 1, 20) : cut(bytesOf(five), 640);
          for (const frame of frames) bench.push([[1, frame]]);
          bench.now += 8;
          await bench.turn();
          const drops = bench.events.filter((event) => event.kind === CoreEvent.dropped);
          t.same(drops, [{ handle: 1, kind: CoreEvent.dropped, a: 150, b: 48_000, c: 0 }], codec);
          await bench.flush(1);
          t.match(bench.core.status(1), { framesDropped: 150, framesDecoded: 100, position: 80_000 });
          bench.core.destroy();
        }
      },
    );

    await t.test('marks a gap at its place and keeps the times of later audio', async (t) => {
      const formats: StreamFormat[] = [
        { codec: 'pcm16', sampleRate: 16_000, channels: 1 },
        { codec: 'pcm16', sampleRate: 48_000, channels: 2 },
        { codec: 'opus_fs320', sampleRate: 16_000, channels: 1 },
      ];
      // The first utterance ends at 7.7 s, and the second begins at 9.1 s. The audio from 8 s to 11 s arrives at once, which is 1 s too
      // much.
      const before = 400;
      const burst = 150;
      for (const format of formats) {
        const bench = await Bench.open(kind);
        bench.core.open(0, format);
        const { codec, sampleRate, channels } = format;
        const frames =
          codec === 'pcm16'
            ? cut(bytesOf(stretch(speech, sampleRate, channels)), (sampleRate / 50) * 2 * channels)
            : encodeOpus(speech, 16_000, 1, 20);
        for (const frame of frames.slice(0, before)) {
          bench.push([[0, frame]]);
          bench.now += 20;
          await bench.turn();
        }
        const held = bench.core.status(0).position;
        for (const frame of frames.slice(before, before + burst)) bench.push([[0, frame]]);
        bench.now += 20;
        await bench.turn();
        await bench.play(0, frames.slice(before + burst));
        const [drop, ...more] = bench.events.filter((event) => event.kind === CoreEvent.dropped);
        t.same(more, [], 'one burst, one event');
        t.ok(drop && drop.c >= held && drop.c - held < 512, `at ${drop?.c}, after ${held}`);
        // The frame queue also contains undecoded audio of an incomplete window, so the core may drop one more frame.
        t.ok(
          drop && (drop.a === 50 || drop.a === 51) && drop.b === drop.a * 320,
          `${drop?.a} frames, ${drop?.b} samples`,
        );
        t.ok(Math.abs(bench.core.status(0).position - speech.length) < 700, 'the clock is true');
        for (const label of labels.slice(2)) t.ok(covers(bench.of(0), label), `${codec} at ${sampleRate} Hz`);
        bench.core.destroy();
      }
    });

    await t.test('counts frames that do not decode and continues', async (t) => {
      const bench = await Bench.open(kind);
      bench.core.open(2, { codec: 'opus', sampleRate: 16_000, channels: 1 });
      const good = encodeOpus(speech.slice(0, 32_000), 16_000, 1, 20);
      for (const bad of [[], [0x03], [0x1b, 0x03], [0x03, 0x00]]) bench.push([[2, Uint8Array.from(bad)]]);
      bench.now += 8;
      await bench.turn();
      t.same(bench.events, [{ handle: 2, kind: CoreEvent.invalidFrames, a: 4, b: 0, c: 0 }]);
      await bench.play(2, good);
      t.match(bench.core.status(2), { framesInvalid: 4, framesDecoded: good.length });
      bench.core.destroy();
    });

    await t.test('computes when enough windows wait or the oldest has waited long enough', async (t) => {
      const bench = await Bench.open(kind, { turnWindows: 3 });
      const format: StreamFormat = { codec: 'pcm16', sampleRate: 16_000, channels: 1 };
      for (let h = 0; h < 3; h++) bench.core.open(h, format);
      t.equal(bench.core.due(0), Number.POSITIVE_INFINITY);
      bench.now = 100;
      bench.push([[0, new Uint8Array(1024)]]);
      t.equal(bench.core.due(100), 8);
      t.equal(bench.core.due(105), 3);
      bench.core.turn(105, false);
      await bench.core.settle();
      t.equal(bench.core.status(0).framesDecoded, 0, 'not yet');
      bench.push([
        [1, new Uint8Array(1024)],
        [2, new Uint8Array(1024)],
      ]);
      t.equal(bench.core.due(106), 0);
      await bench.turn();
      for (let h = 0; h < 3; h++) t.equal(bench.core.status(h).position, 512);
      bench.push([[0, new Uint8Array(1024)]]);
      bench.core.turn(bench.now, true);
      await bench.core.settle();
      t.equal(bench.core.status(0).position, 1024, 'forced');
      bench.core.destroy();
    });

    await t.test('reports the arrival time of the frame that completed each window', async (t) => {
      const format: StreamFormat = { codec: 'pcm16', sampleRate: 16_000, channels: 1 };
      const frame = new Uint8Array(640);
      const bench = await Bench.open(kind);
      bench.core.open(0, format);
      await bench.play(0, new Array<Uint8Array>(100).fill(frame));
      t.same(bench.waits, new Array(62).fill(20), '62 windows in two seconds, none told of twice');
      t.equal(bench.core.status(0).position, 100 * 320);

      bench.waits.length = 0;
      // 256 samples of an incomplete window already wait. The second of these frames completes the window, which the
      // core processes only at the end of the stream.
      bench.push([[0, frame.subarray(0, 320)]]);
      bench.now += 3;
      bench.push([[0, frame.subarray(0, 320)]]);
      bench.now += 5;
      await bench.flush(0);
      t.same(bench.waits, [5], 'the end of a stream counts');
      bench.core.close(0);

      // Pushes three seconds into a frame queue of two seconds. Positions count from the first frame that is not dropped.
      bench.core.open(0, format);
      bench.waits.length = 0;
      const began = bench.now;
      for (let sent = 0; sent < 150; sent++) {
        bench.push([[0, frame]]);
        bench.now += 1;
      }
      await bench.turn();
      const { framesDropped, position } = bench.core.status(0);
      t.equal(framesDropped, 50);
      // The core may leave a frame undecoded if the frame completes no window.
      t.ok(position === 150 * 320 || position === 149 * 320, `${position}`);
      t.equal(Math.max(...bench.waits), bench.now - (began + framesDropped));
      t.equal(Math.min(...bench.waits), 2, 'the last frame completes no window');
      t.same(
        bench.waits,
        [...bench.waits].sort((a, b) => b - a),
      );
      // After the first 200 ms of a gap, the core skips complete windows.
      const skipped = Math.floor(position / 512) - bench.waits.length;
      t.ok(skipped > 20 && skipped * 512 < (framesDropped / 50 - 0.2) * 16_000, `${skipped} windows skipped`);
      bench.core.destroy();
    });

    await t.test('counts the memory of speech separately', async (t) => {
      const bench = await Bench.open(kind, { gate: { ...gateOptions, minSpeech: 0, onset: 0, off: 0 } });
      bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
      t.equal(bench.core.status(0).speechBytes, 0);
      // This gate treats all audio as speech.
      const beside: number[] = [];
      for (let second = 1; second <= 5; second++) {
        for (const frame of cut(new Uint8Array(32_000), 640)) bench.push([[0, frame]]);
        bench.now += 1000;
        await bench.turn();
        const { bytes, speechBytes } = bench.core.status(0);
        // The portable core also counts memory that is allocated but unused.
        const most = kind.name === 'native' ? second : 2 * second;
        t.ok(speechBytes > (second - 1.1) * 32_000 && speechBytes <= most * 32_000, `${speechBytes} bytes`);
        beside.push(bytes);
      }
      // A frame queue that is not empty keeps the memory that it needed for one second of audio.
      t.ok(Math.max(...beside) < 80_000, `${beside.join(', ')} bytes beside them`);
      bench.core.flush(0, bench.now);
      await bench.core.settle();
      bench.core.turn(bench.now, false);
      const { speechBytes: ended } = bench.core.status(0);
      t.ok(ended >= 4.9 * 32_000, 'an utterance nobody took');
      const pcm = bench.core.takeUtterance(0)?.pcm;
      t.equal(bench.core.status(0).speechBytes, ended - (pcm?.byteLength ?? 0));
      bench.core.destroy();
    });

    await t.test('a reused slot keeps nothing of its last stream', async (t) => {
      const bench = await Bench.open(kind);
      const format: StreamFormat = { codec: 'pcm16', sampleRate: 16_000, channels: 1 };
      bench.core.open(0, format);
      for (const frame of cut(bytesOf(speech.slice(0, 60_000)), 640)) bench.push([[0, frame]]);
      bench.core.turn(bench.now + 8, true);
      bench.core.flush(0, bench.now);
      bench.core.close(0);
      bench.core.open(0, format);
      await bench.core.settle();
      await bench.turn(true);
      t.same(bench.events, []);
      t.match(bench.core.status(0), { position: 0, framesDecoded: 0, speaking: false });
      t.equal(bench.core.takeUtterance(0), undefined);
      bench.core.destroy();
    });

    await t.test('refuses formats that it cannot decode', async (t) => {
      const bench = await Bench.open(kind);
      const lacking = codecs.filter((codec) => !bench.core.capabilities.codecs.includes(codec));
      const refused: [StreamFormat, string][] = [
        ...lacking.map((codec): [StreamFormat, string] => [
          { codec, sampleRate: 16_000, channels: 1 },
          'codec_unavailable',
        ]),
        [{ codec: 'mp3' as Codec, sampleRate: 16_000, channels: 1 }, 'codec_unknown'],
        [{ codec: 'opus', sampleRate: 44_100, channels: 1 }, 'sample_rate_unsupported'],
        [{ codec: 'pcm16', sampleRate: 7999, channels: 1 }, 'sample_rate_unsupported'],
        [{ codec: 'pcm16', sampleRate: 48_001, channels: 1 }, 'sample_rate_unsupported'],
        [{ codec: 'pcm16', sampleRate: Number.NaN, channels: 1 }, 'sample_rate_unsupported'],
        [{ codec: 'pcm8', sampleRate: 16_000, channels: 3 as 2 }, 'channels_unsupported'],
      ];
      for (const [format, code] of refused)
        t.throws(() => bench.core.open(0, format), { code }, JSON.stringify(format));
      const format: StreamFormat = { codec: 'opus', sampleRate: 16_000, channels: 1 };
      bench.core.open(0, format);
      t.throws(() => bench.core.open(0, format), RangeError);
      t.throws(() => bench.core.open(64, format), RangeError);
      t.throws(() => bench.core.open(-1, format), RangeError);
      bench.core.close(0);
      bench.core.close(0);
      bench.core.close(1000);
      t.equal(bench.core.flush(9, 0), 0);
      t.equal(bench.core.takeUtterance(9), undefined);
      bench.core.destroy();
    });

    await t.test('limits the memory of a stream', async (t) => {
      const bench = await Bench.open(kind);
      bench.core.open(0, { codec: 'opus', sampleRate: 16_000, channels: 1 });
      await bench.play(0, encodeOpus(speech, 16_000, 1, 20));
      t.ok(bench.core.status(0).bytes <= 100 * 1024, `${bench.core.status(0).bytes} bytes`);
      t.ok(bench.core.status(0).bytes > 0);
      bench.core.destroy();
    });
  });
}

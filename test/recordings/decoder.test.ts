/** A recording gives the same utterances as a live stream of the same audio. Reading a file in a wrong format costs little. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { createRecordingDecoder } from '../../src/audio/recording/recording-decoder.js';
import { loadSettings } from '../../src/config/load-settings.js';
import type { StreamFormat } from '../../src/wire/stream.js';
import { native, withoutNative } from '../audio/support.js';
import { fixtureUtterances, scene } from '../support/texts/speech.js';
import { frameFile, framesIn, recorded } from './frame-files.js';

const settings = loadSettings({ JOB_THREADS: '1' }).values;
const opus: StreamFormat = { codec: 'opus', sampleRate: 16_000, channels: 1 };

/** Recordings in codecs whose encoders are not available everywhere, with the encoder's delay in ms. */
const coded = [
  { name: 'aac', format: { codec: 'aac', sampleRate: 16_000, channels: 1 }, delay: 64 },
  { name: 'lc3', format: { codec: 'lc3_fs1030', sampleRate: 16_000, channels: 1 }, delay: 0 },
] as const;
const frameCounts = { aac: 72, lc3: 449 } as const;

/** Returns the same frames with changed bytes after their heads. */
const shiftedFrames = (file: Buffer): Buffer =>
  frameFile(
    framesIn(file).map((given) => {
      const frame = Buffer.from(given);
      for (let index = 8; index < frame.length; index++) frame[index] = (frame[index]! + index * 37) % 256;
      return frame;
    }),
  );

async function* inPieces(file: Uint8Array, size = 50_000): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}

const collect = async (decoding: ReturnType<ReturnType<typeof createRecordingDecoder>['decode']>) => {
  const utterances = [];
  for (;;) {
    const { value, done } = await decoding.next();
    if (done) return { utterances, ...value };
    utterances.push(value);
  }
};

t.test('recordings are decoded in threads', { skip: withoutNative }, async (t) => {
  const decoder = createRecordingDecoder(settings, 120_000);
  t.teardown(() => decoder.close());
  const { pcm, labels } = await scene([0, 1, 2]);
  const longest = Math.ceil(pcm.length / 16);

  for (const [codec, sampleRate] of [
    ['pcm16', 16_000],
    ['pcm8', 8000],
    ['opus', 16_000],
    ['opus_fs320', 16_000],
  ] as const) {
    const file = recorded(pcm, codec, sampleRate);
    const format = { codec, sampleRate, channels: 1 } as const;
    const whole = await collect(decoder.decode(format, inPieces(file)));
    t.equal(whole.invalid, 0, codec);
    t.ok(whole.utterances.length >= labels.length, `${codec}: ${whole.utterances.length} utterances`);
    for (const { speechStart, speechEnd } of labels) {
      const found = whole.utterances.some(
        (one) => one.speechStart / 16 < speechEnd - 200 && one.speechEnd / 16 > speechStart + 200,
      );
      t.ok(found, `${codec}: speech at ${speechStart} ms is found`);
    }
    t.ok(whole.utterances.every(({ speechEnd }) => speechEnd / 16 <= longest + 1000));
    const cut = await collect(decoder.decode(format, inPieces(file, 777)));
    t.strictSame(
      cut.utterances.map(({ speechStart, speechEnd, pcm }) => [speechStart, speechEnd, pcm.length]),
      whole.utterances.map(({ speechStart, speechEnd, pcm }) => [speechStart, speechEnd, pcm.length]),
      `${codec}: the same however it is read`,
    );
  }

  await t.test('AAC and LC3, as their encoders write them', async (t) => {
    const { speech_start_ms: start, speech_end_ms: end } = fixtureUtterances[1]!;
    for (const { name, format, delay } of coded) {
      const file = readFileSync(new URL(`../../../fixtures/recordings/${name}.bin`, import.meta.url));
      if (!('addon' in native) || native.addon[name] === undefined) {
        await t.rejects(collect(decoder.decode(format, inPieces(file))), { code: 'codec_unavailable' }, name);
        continue;
      }
      for (const size of [50_000, 777]) {
        const { utterances, invalid, decoded } = await collect(decoder.decode(format, inPieces(file, size)));
        t.match({ invalid, decoded }, { invalid: 0, decoded: frameCounts[name] }, `${name}: every frame`);
        t.equal(utterances.length, 1, `${name}: the sentence`);
        const { speechStart, speechEnd } = utterances[0]!;
        t.ok(
          Math.abs(speechStart / 16 - (500 + delay + start)) < 350,
          `${name}: begins at ${speechStart / 16} ms`,
        );
        t.ok(Math.abs(speechEnd / 16 - (500 + delay + end)) < 300, `${name}: ends at ${speechEnd / 16} ms`);
      }
      const shifted = await collect(decoder.decode(format, inPieces(shiftedFrames(file))));
      t.equal(shifted.decoded + shifted.invalid, frameCounts[name], `${name}: damaged frames are told`);
      // The file name states half of the real length, so that only the decoder can find the real length.
      const short = createRecordingDecoder(settings, 3000);
      const wrong = { ...format, sampleRate: name === 'aac' ? 48_000 : format.sampleRate };
      await t.rejects(collect(short.decode(wrong, inPieces(file))), { code: 'recording_too_long' }, name);
      await short.close();
    }
    const portable = createRecordingDecoder(
      loadSettings({ COCHLEA_CORE: 'portable', JOB_THREADS: '1' }).values,
      60_000,
    );
    for (const { name, format } of coded) {
      await t.rejects(
        collect(portable.decode(format, inPieces(frameFile([Buffer.alloc(30)])))),
        { code: 'codec_unavailable' },
        `${name}: the portable core says what is missing`,
      );
    }
    await portable.close();
  });

  await t.test('small files that stand for hours are refused before they are decoded', async (t) => {
    // Each packet has one byte and lasts 60 ms, and takes 5 bytes with its length prefix. The 100,000 packets last 100
    // minutes.
    const bomb = frameFile(Array.from({ length: 100_000 }, () => Uint8Array.of(0b00011_0_00)));
    await t.rejects(collect(decoder.decode(opus, inPieces(bomb))), { code: 'recording_too_long' });
  });

  await t.test('garbage is told by its frames, and hurts nothing', async (t) => {
    const noise = Array.from({ length: 400 }, (_, i) =>
      Uint8Array.from({ length: 80 }, (_, j) => (i * 31 + j * 17) % 256),
    );
    const { decoded, invalid } = await collect(decoder.decode(opus, inPieces(frameFile(noise))));
    t.equal(decoded + invalid, 400);
    t.ok(invalid > 0, `${invalid} of 400 packets are none`);
    await t.rejects(collect(decoder.decode(opus, inPieces(Buffer.from('<!doctype html>')))), {
      code: 'recording_invalid',
    });
    await t.rejects(
      collect(decoder.decode({ ...opus, codec: 'lc3', sampleRate: 11_025 }, inPieces(recorded(pcm, 'opus')))),
      {
        code: /sample_rate_unsupported|codec_unavailable/,
      },
    );
  });

  await t.test('a file that holds something else than its name says is found', async (t) => {
    const samples: StreamFormat = { ...opus, codec: 'pcm16' };
    const packets = recorded(pcm, 'opus');
    const withHeader = framesIn(packets).map((packet, index) =>
      Buffer.concat([Buffer.from([index & 255, index >> 8, 0]), packet]),
    );
    for (const [name, format, file, cause] of [
      ['Opus in place of samples', samples, packets, 'codec'],
      ['samples in place of Opus', opus, recorded(pcm, 'pcm16'), 'codec'],
      ['a radio header before each packet', opus, frameFile(withHeader), 'header'],
      ['Opus', opus, packets, undefined],
      ['samples', samples, recorded(pcm, 'pcm16'), undefined],
      ['silence', samples, recorded(new Int16Array(48_000), 'pcm16'), undefined],
      ['coded silence', opus, recorded(new Int16Array(48_000), 'opus'), undefined],
    ] as const) {
      const { finding } = await collect(decoder.decode(format, inPieces(file)));
      t.equal(finding?.cause, cause, name);
    }
  });

  await t.test('what is given up in the middle leaves the thread to others', async (t) => {
    const first = decoder.decode(opus, inPieces(recorded(pcm, 'opus'), 5000));
    t.notOk((await first.next()).done);
    await first.return({ decoded: 0, invalid: 0 });
    const failing = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      yield recorded(pcm, 'opus').subarray(0, 3000);
      throw new Error('the disk is gone');
    };
    await t.rejects(collect(decoder.decode(opus, failing())), { message: 'the disk is gone' });
    t.ok((await collect(decoder.decode(opus, inPieces(recorded(pcm, 'opus'))))).utterances.length > 0);
  });
});

/** Readers of audio files survive any bytes: they throw only registered errors, they end, and they leave no file open. */
import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import {
  containerDecoder,
  type DecodeContainer,
  findProgram,
} from '../../../src/audio/files/container-decoder.js';
import { createOggThread } from '../../../src/audio/files/ogg-thread.js';
import { ScratchFile } from '../../../src/audio/files/scratch-file.js';
import { SpentTime } from '../../../src/audio/files/spent-time.js';
import { stageFile } from '../../../src/audio/files/staged-audio.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { scene } from '../../support/texts/speech.js';
import { wavFile } from '../../support/texts/wav-file.js';
import { chunk, codedFiles, inserted, timedOpus } from './made-files.js';

const without = (await findProgram('ffmpeg')) === null && 'ffmpeg is missing';
const folder = t.testdir();
const never = new AbortController().signal;
// Child processes of many files listen to the same signal. 0 disables Node's warning about that.
setMaxListeners(0, never);
const tags = Buffer.from('ID3\x04\0\0\0\0\0\x0a0123456789', 'latin1');
/** Number of files that a child process reads in one test. */
const children = 8;
const ogg = createOggThread();
t.teardown(() => ogg.close());

const stage = async (
  bytes: Uint8Array,
  decodeContainer: DecodeContainer,
  longest = 60_000,
  user = 'ann',
): Promise<'taken' | 'refused'> => {
  const pieces = (async function* () {
    yield bytes;
  })();
  const readOgg = ogg.read;
  const options = { folder, longest, decodeContainer, readOgg, signal: never, user, spent: new SpentTime() };
  try {
    const staged = await stageFile(options, 'a file', pieces);
    for await (const piece of staged.frames()) if (piece.length === 0) break;
    await staged.close();
    return 'taken';
  } catch (error) {
    if (error instanceof CochleaError && error.entry.http === 400) return 'refused';
    throw error;
  }
};

/** A fake decoder that returns one second of silence for each part of a file. */
const silent: DecodeContainer = async () => {
  const file = await ScratchFile.create(folder);
  await file.append(Buffer.alloc(32_000));
  return { file, incomplete: null };
};

/** Random changes of bytes: in the first bytes, which contain heads and lengths, or anywhere. */
const changes = fc.array(
  fc.tuple(
    fc.oneof(fc.nat(100), fc.nat(4000)),
    fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
  ),
  { maxLength: 12 },
);

const mutate = (file: Buffer, some: readonly (readonly [number, number])[], end: number): Buffer => {
  const bytes = Buffer.from(file.subarray(0, Math.max(1, Math.floor((file.length * end) / 100))));
  for (const [at, value] of some) if (at < bytes.length) bytes[at] = value;
  return bytes;
};

t.test('files with any bytes', { skip: without, timeout: 60_000 }, async (t) => {
  const { pcm } = await scene([1], 0);
  const path = join(folder, 'source.wav');
  writeFileSync(path, wavFile(pcm.slice(0, 8000)));
  const made = codedFiles(folder, path);
  const opus = made.get('a.opus')!;
  const plain = wavFile(pcm.slice(0, 800));
  const seeds = [
    ...made.values(),
    ...[...made.values()].map((file) => Buffer.concat([tags, file, file])),
    inserted(plain, 36, Buffer.concat(Array<Buffer>(300).fill(chunk('LIST', Buffer.alloc(3), false)))),
    timedOpus(
      [...Array(20).keys()].map((index) => ({ bytes: Uint8Array.of(0x48), at: 500 * index })),
      1,
    ),
    Buffer.concat([opus, opus, made.get('vorbis.ogg')!]),
  ];

  await t.test('are read or refused, and nothing else', async (t) => {
    const outcomes = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        changes,
        fc.integer({ min: 1, max: 100 }),
        async (file, some, end) => {
          outcomes[await stage(mutate(file, some, end), silent)]++;
        },
      ),
      { numRuns: 400 },
    );
    t.ok(outcomes.taken > 50 && outcomes.refused > 50, JSON.stringify(outcomes));
  });

  await t.test('are refused after the valid first bytes of a format', async (t) => {
    const heads = [
      'RIFF\0\0\0\0WAVEfmt ',
      'RF64\xff\xff\xff\xffWAVEds64',
      'OggS\0\x02',
      '\0\0\0\x10ftypM4A ',
      '\0\0\0\x01moov',
    ];
    const others = [
      'caff\0\x01\0\0',
      'FORM\0\0\0\x10AIFF',
      'riff\x2e\x91\xcf\x11',
      '\x1a\x45\xdf\xa3',
      'fLaC\0\0\0\x22',
      '#!AMR\n',
    ];
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...heads, ...others),
        fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(...heads, ...others)), {
          maxLength: 20,
        }),
        async (head, rest) => {
          const parts = [head, ...rest].map((part) =>
            typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
          );
          await stage(Buffer.concat(parts), silent);
          count++;
        },
      ),
      { numRuns: 300 },
    );
    t.equal(count, 300);
  });

  await t.test('do no harm if ffmpeg reads them', async (t) => {
    const log = { warn: () => undefined };
    const decode = containerDecoder({ program: 'ffmpeg', folder, atOnce: 4, log });
    const some = fc.sample(
      fc.tuple(fc.constantFrom(...made.values()), changes, fc.integer({ min: 50, max: 100 })),
      {
        numRuns: children,
        seed: 38,
      },
    );
    const outcomes = await Promise.all(
      some.map(([file, places, end], index) =>
        stage(mutate(file, places, end), decode, 60_000, `user ${index}`),
      ),
    );
    t.equal(outcomes.length, children, JSON.stringify(outcomes));
  });

  await t.test('are refused soon if they repeat endlessly', async (t) => {
    const repeated = (piece: Buffer, before: Buffer): Buffer =>
      Buffer.concat([before, ...Array<Buffer>(Math.floor(4_000_000 / piece.length)).fill(piece)]);
    // Returns three ADTS frames without audio. @param rate index of the sample rate.
    const adts = (rate: number): Buffer[] =>
      Array<Buffer>(3).fill(Buffer.from([0xff, 0xf1, 0x40 | (rate << 2), 0x40, 0x01, 0x1f, 0xfc, 0]));
    const riff = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), plain.subarray(12, 36)]);
    for (const [name, bytes] of [
      ['chunks', repeated(chunk('JUNK', Buffer.alloc(0)), riff)],
      ['heads of WAV', repeated(riff.subarray(0, 12), riff)],
      ['boxes', repeated(Buffer.from('\0\0\0\x08free'), Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0', 'latin1'))],
      ['MP4 files', repeated(Buffer.from('\0\0\0\x08ftyp\0\0\0\x08moov'), Buffer.alloc(0))],
      ['rates of AAC', repeated(Buffer.concat([...adts(8), ...adts(4)]), Buffer.alloc(0))],
      ['FLAC files', repeated(Buffer.from('fLaC\0\0\0\x22'), Buffer.alloc(0))],
      ['links of Ogg', repeated(opus.subarray(0, 47), Buffer.alloc(0))],
    ] as const)
      t.equal(await stage(bytes, silent), 'refused', name);
  });
});

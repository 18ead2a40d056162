/**
 * The expected result of one file: all of its audio, a part of it, or an error. Two recordings are tested, in every format that ffmpeg
 * writes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { containerDecoder, findProgram } from '../../../src/audio/files/container-decoder.js';
import { createOggThread } from '../../../src/audio/files/ogg-thread.js';
import { SpentTime } from '../../../src/audio/files/spent-time.js';
import { stageFile } from '../../../src/audio/files/staged-audio.js';
import type { StagedAudio } from '../../../src/audio/files/staging.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { scene } from '../../support/texts/speech.js';
import { wavFile } from '../../support/texts/wav-file.js';
import { heard, joined, likeness } from './heard.js';
import { codedFiles } from './made-files.js';

export interface Form {
  readonly name: string;
  readonly bytes: Buffer;
  /** Expected samples at 16 kHz, from the first sample on. */
  readonly pcm?: Int16Array;
  /** Expected reason why a part of the audio is missing. */
  readonly incomplete?: RegExp;
  /** Expected reason why the file is refused. */
  readonly refused?: RegExp;
  /** Tolerated difference of the duration, in ms. */
  readonly within?: number;
  /** Minimum similarity to the expected audio. */
  readonly likeness?: number;
}

export const without = (await findProgram('ffmpeg')) === null && 'ffmpeg is missing';
const folder = t.testdir();
const never = new AbortController().signal;
const decodeContainer = containerDecoder({
  program: 'ffmpeg',
  folder,
  atOnce: 4,
  log: { warn: () => undefined },
});
const ogg = createOggThread();
t.teardown(() => ogg.close());

export const stage = (bytes: Buffer, user: string): Promise<StagedAudio> =>
  stageFile(
    {
      ...{ folder, longest: 60_000, decodeContainer, readOgg: ogg.read },
      ...{ signal: never, user, spent: new SpentTime() },
    },
    'a file',
    (async function* () {
      yield bytes;
    })(),
  );

/** Reads one file and compares its result with the expectation. */
export const check = async (t: Pick<Test, 'equal' | 'fail' | 'match' | 'ok'>, form: Form): Promise<void> => {
  const { name, bytes, pcm, incomplete, refused, within = 110, likeness: least = 0.9 } = form;
  const staged = await stage(bytes, name).catch((error: unknown) => error);
  if (staged instanceof Error) {
    const told = staged instanceof CochleaError ? `${staged.code} ${staged.message}` : String(staged);
    if (refused === undefined) t.fail(`${name}: ${told}`);
    else t.match(told, refused, name);
    return;
  }
  const audio = staged as StagedAudio;
  try {
    const expected = pcm ?? new Int16Array(0);
    const found = await heard(audio);
    const ms = expected.length / 16;
    t.ok(Math.abs(audio.duration - ms) <= within, `${name}: ${audio.duration} ms of ${ms}`);
    t.ok(Math.abs(found.length / 16 - audio.duration) < 5, `${name}: ${found.length / 16} ms are heard`);
    const alike = likeness(expected, found);
    t.ok(alike > least, `${name}: likeness ${alike}`);
    t.match(audio.incomplete ?? '', incomplete ?? /^$/, name);
    t.equal(refused, undefined, `${name} is not refused`);
  } finally {
    await audio.close();
  }
};

export const [one, other] = [(await scene([1], 0)).pcm, (await scene([4], 0)).pcm];
export const both = joined(one, other);
/** The files of each recording. They are made once. */
const files = new Map<Int16Array, ReadonlyMap<string, Buffer>>();
export const made = (pcm: Int16Array): ReadonlyMap<string, Buffer> => {
  const known = files.get(pcm);
  if (known !== undefined) return known;
  const path = join(folder, 'source.wav');
  writeFileSync(path, wavFile(pcm));
  const coded = codedFiles(folder, path);
  files.set(pcm, coded);
  return coded;
};

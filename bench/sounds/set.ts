import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readWavFile } from '../../src/app/wearable/read-audio.js';
import { resample } from '../../src/app/wearable/resample.js';
import { fixtureUtterances } from '../words/material.js';
import { babble } from './babble.js';
import { generators } from './generated.js';
import { rate, toPcm } from './signals.js';

/** Thresholds may be chosen with sounds of the half `choosing`. Only sounds of the half `validating` validate them. */
export type Half = 'choosing' | 'validating';

/** A sound without an intelligible word. */
export interface Sound {
  readonly name: string;
  readonly kind: string;
  readonly half: Half;
  /** Returns mono samples at 16 kHz. */
  readonly make: () => Promise<Int16Array>;
}

/** Number of sounds of each kind, and length of a sound in seconds. */
const each = 8;
const seconds = 60;

/**
 * Assigns a sound to a half by its name, so a new sound changes the half of no other sound. The name of a generated
 * sound ends in a number. Sounds with an even number are for choosing.
 */
export const halfOf = (name: string): Half => {
  const number = /\/(\d+)$/.exec(name)?.[1];
  const value = number === undefined ? createHash('sha256').update(name).digest()[0]! : Number(number);
  return value % 2 === 0 ? 'choosing' : 'validating';
};

const sound = (kind: string, title: string, make: Sound['make']): Sound => {
  const name = `${kind}/${title}`;
  return { name, kind, half: halfOf(name), make };
};

/** Returns the generated sounds, which last 64 minutes. They are equal on every machine. */
export const generatedSounds = async (): Promise<Sound[]> => {
  const voices = (await fixtureUtterances()).map(({ pcm }) => pcm);
  const all = {
    ...generators,
    babble: (length: number, seed: number) => babble(length, seed, voices),
  };
  return Object.entries(all).flatMap(([kind, make], number) =>
    Array.from({ length: each }, (_, index) =>
      sound(kind, `${index}`, async () => {
        const length = seconds * rate;
        return toPcm(make(length, 1000 * number + index), 0.1 + 0.1 * (index % each));
      }),
    ),
  );
};

/** Returns the WAV files in a folder. The name of the subfolder is the kind of its sounds. */
export const recordedSounds = async (folder: string): Promise<Sound[]> => {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.wav'));
  return files.sort().map((file) => {
    const path = join(folder, file);
    const [kind = '', ...rest] = relative(folder, path).split('/');
    return sound(kind, rest.join('/'), async () => {
      const { pcm, rate: own } = await readWavFile(path);
      return own === rate ? pcm : resample(pcm, own, rate);
    });
  });
};

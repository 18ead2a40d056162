import { parseRetainedKey, parseRetainedName, type StoredFile } from '../storage/index.js';

/** Totals of the files in a storage of retained audio. */
export interface Measurement {
  /** Number of bytes by owner. Files whose names have an unknown format count for `unknownOwner`. */
  readonly byOwner: ReadonlyMap<string, number>;
  /** Time at which the oldest waiting audio was retained, ms since the epoch; undefined if no audio waits. */
  readonly oldest: number | undefined;
  /** Number of samples that wait for transcription. */
  readonly samples: number;
}

/** Owner of files whose names have an unknown format. */
const unknownOwner = '';

/**
 * Computes the totals of a list of files. Audio that was given up takes space but does not wait.
 * @param leftOut whether the audio of a key is counted elsewhere.
 */
export const measured = (files: readonly StoredFile[], leftOut: (key: string) => boolean): Measurement => {
  const byOwner = new Map<string, number>();
  let oldest: number | undefined;
  let samples = 0;
  for (const { name, size } of files) {
    const file = parseRetainedName(name);
    const key = file && parseRetainedKey(file.key);
    if (file !== undefined && leftOut(file.key)) continue;
    const owner = key?.owner ?? unknownOwner;
    byOwner.set(owner, (byOwner.get(owner) ?? 0) + size);
    if (key === undefined || file!.state !== 'waiting' || file!.form === 'json') continue;
    oldest = Math.min(oldest ?? key.at, key.at);
    samples += key.samples;
  }
  return { byOwner, oldest, samples };
};

import { parseRetainedKey, parseRetainedName, type StoredFile } from '../storage/index.js';

/** What a place of retained audio holds. */
export interface Measurement {
  /** Bytes by owner; what has an unknown form of name is charged to `unknownOwner`. */
  readonly byOwner: ReadonlyMap<string, number>;
  /** When the oldest audio that waits to be transcribed was retained, ms since the epoch; undefined when none waits. */
  readonly oldest: number | undefined;
  /** Samples that wait to be transcribed. */
  readonly samples: number;
}

/** Owner to which files with an unknown form of name are charged. */
const unknownOwner = '';

/**
 * Adds up what a listing names. What was given up takes space, too, but does not wait any more.
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

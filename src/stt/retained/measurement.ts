import { parseRetainedKey, parseRetainedName, type StoredFile } from '../storage/index.js';

/** Totals of a storage of retained audio. */
export interface Measurement {
  /** Bytes by owner. Files with an unknown form of name count for `unknownOwner`. */
  readonly byOwner: ReadonlyMap<string, number>;
  /** When the oldest waiting audio was retained, ms since the epoch; undefined when no audio waits. */
  readonly oldest: number | undefined;
  /** Samples that wait for transcription. */
  readonly samples: number;
}

/** Owner that files with an unknown form of name count for. */
const unknownOwner = '';

/**
 * Adds up a listing. Audio that was given up uses space but does not wait.
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

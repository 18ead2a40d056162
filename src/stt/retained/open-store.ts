import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { sampleRate } from '../shared/index.js';
import { retainedBucket, retainedCipher } from '../storage/index.js';
import { RetainedStore } from './store.js';

export interface OpenRetainedOptions {
  readonly settings: Pick<
    Settings,
    | 'transcriberQueue'
    | 'transcriberUserQueue'
    | 'retainedSize'
    | 'retainedUserSize'
    | 'retainedAge'
    | 'retainedBucket'
    | 'retainedRegion'
    | 'retainedAccessKey'
    | 'retainedSecretKey'
    | 'retainedKey'
    | 'retainedKeyFile'
  >;
  /** The folder for audio that could not be transcribed; with a bucket its files are moved there. */
  readonly directory: string;
  readonly log: Logger;
  /** The main thread's row of metrics. */
  readonly metrics: MetricsRow;
}

/**
 * Opens the store of an engine's retained audio with the bounds of the settings.
 * @throws CochleaError file_unreadable when the folder cannot be used, setting_invalid when the key cannot.
 */
export const openRetainedStore = async (options: OpenRetainedOptions): Promise<RetainedStore> => {
  const { settings, directory, log, metrics } = options;
  const { retainedSize: size, retainedUserSize: userSize, retainedAge: age } = settings;
  const bucket = settings.retainedBucket === '' ? undefined : retainedBucket(settings);
  const cipher = await retainedCipher(settings);
  // When the transcriber stops, all its waiting audio is written to disk at once and has to wait in memory for that.
  const user = bytesOf(settings.transcriberUserQueue) + fixedLimits.retainedWaitingUser.value;
  const total = bytesOf(settings.transcriberQueue) + fixedLimits.retainedWaiting.value;
  const waiting = { total, user, stream: user };
  return RetainedStore.open({ directory, bucket, cipher, size, userSize, age, waiting, log, metrics });
};

/** Bytes of `speech` ms of speech. */
const bytesOf = (speech: number): number => (speech / 1000) * sampleRate * Int16Array.BYTES_PER_ELEMENT;

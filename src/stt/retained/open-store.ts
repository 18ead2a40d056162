import type { Settings } from '../../config/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { sampleRate } from '../shared/index.js';
import { bucketFiles, retainedCipher } from '../storage/index.js';
import { RetainedStore } from './store.js';

export interface OpenRetainedOptions {
  readonly settings: Pick<
    Settings,
    | 'transcriberQueue'
    | 'transcriberUserQueue'
    | 'retainedSize'
    | 'retainedUserSize'
    | 'retainedAge'
    | 'natsUrl'
    | 'bucketUrl'
    | 'bucketRegion'
    | 'bucketAccessKey'
    | 'bucketSecretKey'
    | 'retainedKey'
    | 'retainedKeyFile'
  >;
  /** Folder for audio that could not be transcribed. If a bucket is set, it has only files that wait for the bucket. */
  readonly directory: string;
  readonly log: Logger;
  /** The main thread's row of metrics. */
  readonly metrics: MetricsRow;
}

/**
 * Opens an engine's store of retained audio, with the limits in the settings.
 * @throws CochleaError file_unreadable when the folder is unusable, setting_invalid when the key is invalid.
 */
export const openRetainedStore = async (options: OpenRetainedOptions): Promise<RetainedStore> => {
  const { settings, directory, log, metrics } = options;
  const { retainedSize: size, retainedUserSize: userSize, retainedAge: age } = settings;
  const bucket = settings.bucketUrl === '' ? undefined : bucketFiles(settings);
  const cipher = await retainedCipher(settings);
  // A stopping transcriber sends all its waiting audio at once. The limits allow all of this audio in memory until
  // it is written.
  const user = bytesOf(settings.transcriberUserQueue) + fixedLimits.retainedWaitingUser.value;
  const total = bytesOf(settings.transcriberQueue) + fixedLimits.retainedWaiting.value;
  const waiting = { total, user, stream: user };
  const diskCounts = settings.natsUrl === '';
  return RetainedStore.open({
    directory,
    bucket,
    diskCounts,
    cipher,
    size,
    userSize,
    age,
    waiting,
    log,
    metrics,
  });
};

/** Returns the number of bytes of PCM for `speech` ms of speech. */
const bytesOf = (speech: number): number => (speech / 1000) * sampleRate * Int16Array.BYTES_PER_ELEMENT;

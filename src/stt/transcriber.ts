import type { MessagePort } from 'node:worker_threads';
import type { Settings } from '../config/index.js';
import { fixedLimits } from '../config/limits.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { LocalTranscriber } from './local-transcriber.js';
import { RetainedStore } from './retained-store.js';
import { sampleRate, type TranscriberState } from './transcriber-messages.js';

export interface TranscriberOptions {
  readonly settings: Pick<
    Settings,
    | 'sttModel'
    | 'transcriberConcurrency'
    | 'transcriberQueue'
    | 'transcriberUserQueue'
    | 'transcriberStreamQueue'
    | 'transcriberTimeout'
    | 'retainedSize'
    | 'retainedUserSize'
  >;
  /** The folder that holds one folder per model. */
  readonly modelsDir: string;
  /** Where audio goes that could not be transcribed. */
  readonly retainDir: string;
  readonly log: Logger;
  /** The main thread's row. */
  readonly metrics: MetricsRow;
  /** Module of the transcriber process; tests put one that misbehaves here. */
  readonly module?: string;
}

/** The engine's one transcriber: a child process, its queue, and the ports of the shards that feed it. */
export interface Transcriber {
  /** Takes a shard's port; utterances come in and their results go out on it. The shard side closes it. */
  attach(port: MessagePort): void;
  /** Age of the oldest utterance that waits for its turn (ms), of any user. */
  lag(): number;
  /** Ms that the first utterance of a user who has nothing waiting would wait for its turn if it came now. */
  wait(): number;
  /** Whether the audio store has so little space left that no new stream should begin. */
  full(): boolean;
  state(): TranscriberState;
  /** Resolves when the model is loaded, or is known not to be usable; `state()` tells which. */
  ready(): Promise<void>;
  /** Resolves when every utterance is answered, or after `timeout` ms. */
  finish(timeout: number): Promise<void>;
  /** Retains what is not transcribed yet, ends the process, closes the ports. Resolves when the process is gone. */
  stop(): Promise<void>;
  /** Process id of the child, while there is one. */
  pid(): number | undefined;
}

/**
 * Starts the local transcriber. Utterances may come at once: they wait until the model is loaded.
 *
 * Failures of the model or of the process are not thrown: the transcriber becomes `unusable`, says so to every shard,
 * and answers `config_error`; the audio is retained. `ready()` tells when that is known.
 * @throws CochleaError file_unreadable when the audio store cannot be used.
 */
export const startTranscriber = async (options: TranscriberOptions): Promise<Transcriber> => {
  const { settings, retainDir: directory, log, metrics } = options;
  const { retainedSize: size, retainedUserSize: userSize } = settings;
  // When the transcriber stops, everything that waits for it goes to the disk at once and must find space there.
  const user = bytesOf(settings.transcriberUserQueue) + fixedLimits.retainedWaitingUser.value;
  const total = bytesOf(settings.transcriberQueue) + fixedLimits.retainedWaiting.value;
  const waiting = { total, user, stream: user };
  const store = await RetainedStore.open({ directory, size, userSize, waiting, log, metrics });
  return new LocalTranscriber(options, store);
};

/** Bytes of so many ms of speech. */
const bytesOf = (speech: number): number => (speech / 1000) * sampleRate * Int16Array.BYTES_PER_ELEMENT;

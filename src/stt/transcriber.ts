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
  /** The folder for audio that could not be transcribed. */
  readonly retainDir: string;
  readonly log: Logger;
  /** The main thread's row of metrics. */
  readonly metrics: MetricsRow;
  /** Module of the transcriber process; tests put one that misbehaves here. */
  readonly module?: string;
}

/** The only transcriber of an engine: a child process, its queue, and the ports of the shards that send it utterances. */
export interface Transcriber {
  /** Takes over a shard's port, on which utterances arrive and results are sent. The shard closes the port. */
  attach(port: MessagePort): void;
  /** Age (ms) of the oldest waiting utterance of any user. */
  lag(): number;
  /** Expected wait (ms) of an utterance that arrived now from a user who has nothing waiting. */
  wait(): number;
  /** Whether the audio store has so little space left that no new stream should begin. */
  full(): boolean;
  state(): TranscriberState;
  /** Resolves when the model is loaded or cannot be used; `state()` tells which. */
  ready(): Promise<void>;
  /** Resolves when every utterance is answered, or after `timeout` ms. */
  finish(timeout: number): Promise<void>;
  /**
   * Removes the retained audio of users whose accounts are deleted, and keeps none of theirs from then on.
   * @param userHashes SHA-256 of their ids in hex.
   * @throws the error of the file system; may be repeated.
   */
  erase(userHashes: readonly string[]): Promise<void>;
  /** Retains audio that is not transcribed yet, ends the process and closes the ports. Resolves when the process has ended. */
  stop(): Promise<void>;
  /** Id of the child process, while there is one. */
  pid(): number | undefined;
}

/**
 * Starts the local transcriber. It accepts utterances at once; they wait until the model is loaded.
 *
 * Failures of the model or of the process are not thrown. The transcriber becomes `unusable`, tells every shard so, answers
 * `config_error` and retains the audio. `ready()` resolves when that is known.
 * @throws CochleaError file_unreadable when the audio store cannot be used.
 */
export const startTranscriber = async (options: TranscriberOptions): Promise<Transcriber> => {
  const { settings, retainDir: directory, log, metrics } = options;
  const { retainedSize: size, retainedUserSize: userSize } = settings;
  // When the transcriber stops, all its waiting audio is written to disk at once and has to wait in memory for that.
  const user = bytesOf(settings.transcriberUserQueue) + fixedLimits.retainedWaitingUser.value;
  const total = bytesOf(settings.transcriberQueue) + fixedLimits.retainedWaiting.value;
  const waiting = { total, user, stream: user };
  const store = await RetainedStore.open({ directory, size, userSize, waiting, log, metrics });
  return new LocalTranscriber(options, store);
};

/** Bytes of `speech` ms of speech. */
const bytesOf = (speech: number): number => (speech / 1000) * sampleRate * Int16Array.BYTES_PER_ELEMENT;

import type { MessagePort } from 'node:worker_threads';
import type { Settings } from '../config/index.js';
import type { Logger } from '../log/index.js';
import type { MetricsRow } from '../metrics/index.js';
import { EngineTranscriber } from './engine-transcriber.js';
import type { RetainedStore } from './retained-store.js';
import type { TranscriberState } from './transcriber-messages.js';

export interface TranscriberOptions {
  readonly settings: Pick<
    Settings,
    'sttModel' | 'transcriberQueue' | 'transcriberUserQueue' | 'transcriberStreamQueue'
  >;
  /** Path of the socket of the transcription service. */
  readonly socket: string;
  /** Called when nothing listens there; may start a service. */
  readonly start?: (() => void) | undefined;
  /** Takes audio that could not be transcribed. The caller closes it after the transcriber. */
  readonly store: Pick<RetainedStore, 'keep'>;
  readonly log: Logger;
  /** The main thread's row of metrics. */
  readonly metrics: MetricsRow;
}

/** An engine's connection to the transcription service of its machine, and the ports of the shards that send utterances. */
export interface Transcriber {
  /** Takes over a shard's port, on which utterances arrive and results are sent. The shard closes the port. */
  attach(port: MessagePort): void;
  /** Age (ms) of the oldest waiting utterance of any open stream of this machine. */
  lag(): number;
  /** Expected wait (ms) of an utterance that arrived now from a user who has nothing waiting. */
  wait(): number;
  state(): TranscriberState;
  /** Settles with the first answer of the service. @throws CochleaError transcriber_refused. */
  joined(): Promise<void>;
  /** Resolves when the model is loaded or cannot be used; `state()` tells which. */
  ready(): Promise<void>;
  /** Resolves when every utterance is answered, or after `timeout` ms. */
  finish(timeout: number): Promise<void>;
  /** Retains audio that is not transcribed yet, leaves the service and closes the ports. */
  stop(): Promise<void>;
  /** Id of a process that decodes, while there is one. */
  pid(): number | undefined;
}

/**
 * Connects an engine to the transcription service. It accepts utterances at once; they wait until the model is loaded.
 *
 * Failures of the service are not thrown. The transcriber becomes `unusable`, tells every shard so, answers `config_error` and retains
 * the audio, until there is a service that works. `ready()` resolves when that is known.
 */
export const startTranscriber = (options: TranscriberOptions): Transcriber => new EngineTranscriber(options);

import type { MessagePort } from 'node:worker_threads';
import type { PackedVoices } from './history.js';
import type { VoiceJob, VoiceResult } from './stream.js';

/**
 * Tells the voices of an utterance apart.
 * @returns undefined when it cannot be done: too much waits, there is no model, or the engine ends. Never rejects.
 */
export type TellVoices = (job: VoiceJob) => Promise<VoiceResult | undefined>;

/**
 * Decides anew whose voice each entry of a conversation's history is.
 * @returns undefined as `TellVoices`. Never rejects.
 */
export type ReviseVoices = (history: PackedVoices) => Promise<Int32Array | undefined>;

/** What the jobs pool does for shards. */
export interface VoiceWork {
  readonly tell: TellVoices;
  readonly revise: ReviseVoices;
}

/** Shard to main thread; the samples of the utterance, or the history, are transferred. */
type VoiceMessage =
  | { readonly id: number; readonly job: VoiceJob }
  | { readonly id: number; readonly history: PackedVoices };

/** Main thread to shard. */
interface VoiceAnswer {
  readonly id: number;
  readonly result: VoiceResult | Int32Array | undefined;
}

/**
 * The shard's end of the jobs pool, which the main thread owns. The port keeps no thread alive; the caller, who made it, closes it.
 * Then what is awaited resolves with undefined.
 */
export const createVoices = (port: MessagePort): VoiceWork => {
  const awaited = new Map<number, (result: VoiceAnswer['result']) => void>();
  let lastId = 0;
  let closed = false;
  const settle = ({ id, result }: VoiceAnswer): void => {
    awaited.get(id)?.(result);
    awaited.delete(id);
  };
  port.on('message', settle);
  port.on('close', () => {
    closed = true;
    for (const id of [...awaited.keys()]) settle({ id, result: undefined });
  });
  port.unref();
  const ask = <Result>(
    message: (id: number) => VoiceMessage,
    moved: ArrayBufferLike,
  ): Promise<Result | undefined> => {
    if (closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const id = ++lastId;
      awaited.set(id, (result) => resolve(result as Result | undefined));
      port.postMessage(message(id), [moved as ArrayBuffer]);
    });
  };
  return {
    tell: (job) => ask((id) => ({ id, job }), job.pcm.buffer),
    revise: (history) => ask((id) => ({ id, history }), history.directions.buffer),
  };
};

/** The main thread's end. */
export const serveVoices = (port: MessagePort, { tell, revise }: VoiceWork): void => {
  port.on('message', (message: VoiceMessage) => {
    const result = 'job' in message ? tell(message.job) : revise(message.history);
    const { id } = message;
    void result.then((found) => port.postMessage({ id, result: found } satisfies VoiceAnswer));
  });
  port.unref();
};

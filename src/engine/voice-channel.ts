import type { MessagePort } from 'node:worker_threads';
import type { VoiceJob, VoiceResult } from './voice-stream.js';

/**
 * Tells the voices of an utterance apart.
 * @returns undefined when it cannot be done: too much waits, there is no model, or the engine ends. Never rejects.
 */
export type TellVoices = (job: VoiceJob) => Promise<VoiceResult | undefined>;

/** Shard to main thread; the samples of the utterance are transferred. */
interface VoiceMessage {
  readonly id: number;
  readonly job: VoiceJob;
}

/** Main thread to shard. */
interface VoiceAnswer {
  readonly id: number;
  readonly result: VoiceResult | undefined;
}

/**
 * The shard's end of the jobs pool, which the main thread owns. The port keeps no thread alive; the caller, who made it, closes it.
 * Then what is awaited resolves with undefined.
 */
export const createVoices = (port: MessagePort): TellVoices => {
  const awaited = new Map<number, (result: VoiceResult | undefined) => void>();
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
  return (job) => {
    if (closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const id = ++lastId;
      awaited.set(id, resolve);
      port.postMessage({ id, job } satisfies VoiceMessage, [job.pcm.buffer as ArrayBuffer]);
    });
  };
};

/** The main thread's end. */
export const serveVoices = (port: MessagePort, tell: TellVoices): void => {
  port.on('message', ({ id, job }: VoiceMessage) => {
    void tell(job).then((result) => port.postMessage({ id, result } satisfies VoiceAnswer));
  });
  port.unref();
};

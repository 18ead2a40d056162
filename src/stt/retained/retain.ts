import type { MessagePort } from 'node:worker_threads';
import type { UtteranceRequest } from '../shared/index.js';

/**
 * Keeps the audio of an utterance that no provider took, so that it is transcribed later.
 * @param reason why no provider took it, one word.
 * @returns the key under which it is stored; undefined when it could not be stored: then the utterance is lost, and counted as
 *   such. Never rejects.
 */
export type RetainAudio = (request: UtteranceRequest, reason: string) => Promise<string | undefined>;

/** Shard to main thread; the samples are transferred. */
interface RetainMessage {
  readonly id: number;
  readonly request: UtteranceRequest;
  readonly reason: string;
}

/** Main thread to shard. */
interface RetainAnswer {
  readonly id: number;
  readonly key: string | undefined;
}

/** Samples in a buffer of their own, so that transferring it transfers nothing else. */
const transferable = (pcm: Int16Array): Int16Array =>
  pcm.buffer instanceof ArrayBuffer && pcm.byteLength === pcm.buffer.byteLength ? pcm : pcm.slice();

/**
 * The shard's end of the store of retained audio, which the main thread owns. The port keeps the thread alive only while an
 * answer is awaited; the caller, who made the port, closes it. Then what is still awaited resolves with undefined, although the main
 * thread stores what had reached it.
 */
export const createRetainer = (port: MessagePort): RetainAudio => {
  const awaited = new Map<number, (key: string | undefined) => void>();
  let lastId = 0;
  let closed = false;

  const settle = ({ id, key }: RetainAnswer): void => {
    const resolve = awaited.get(id);
    awaited.delete(id);
    if (awaited.size === 0) port.unref();
    resolve?.(key);
  };
  port.on('message', settle);
  port.on('close', () => {
    closed = true;
    for (const id of [...awaited.keys()]) settle({ id, key: undefined });
  });
  port.unref();

  return (request, reason) => {
    // Samples that were transferred to a provider are not here any more.
    if (closed || request.pcm.length === 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const id = ++lastId;
      awaited.set(id, resolve);
      port.ref();
      const pcm = transferable(request.pcm);
      const message: RetainMessage = { id, request: { ...request, pcm }, reason };
      port.postMessage(message, [pcm.buffer as ArrayBuffer]);
    });
  };
};

/** The main thread's end: stores what a shard sends, and answers. What came before the port closed is stored. */
export const serveRetainer = (port: MessagePort, keep: RetainAudio): void => {
  port.on('message', ({ id, request, reason }: RetainMessage) => {
    void keep(request, reason).then((key) => port.postMessage({ id, key } satisfies RetainAnswer));
  });
  port.unref();
};

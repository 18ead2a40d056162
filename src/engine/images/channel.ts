import type { MessagePort } from 'node:worker_threads';
import type { Keeping } from '../../photos/index.js';

/** What stores the files of images. */
export interface ImageKeeper {
  /**
   * Writes an image.
   * @param parts its base64, in order; each has memory of its own, which is given away.
   * @returns `try_again` also when it cannot be written just now, or the engine ends. Never rejects.
   */
  keep(uid: string, parts: readonly Uint8Array[]): Promise<Keeping>;
  /** Removes the file of an image that was not stored after all. Never throws. */
  remove(file: string): void;
}

/** Shard to main thread; the parts are transferred. */
type ImageRequest =
  | { readonly id: number; readonly uid: string; readonly parts: readonly Uint8Array[] }
  | { readonly remove: string };

/** Main thread to shard. */
interface ImageAnswer {
  readonly id: number;
  readonly answer: Keeping;
}

const tryAgain: Keeping = { refusal: 'try_again' };

const buffersOf = (parts: readonly Uint8Array[]): ArrayBuffer[] =>
  parts.map(({ buffer }) => buffer as ArrayBuffer);

/**
 * The shard's end of what stores images, which the main thread owns. The port keeps no thread alive; the caller, who made it, closes
 * it. Then what is awaited resolves with `try_again`.
 */
export const createImageKeeper = (port: MessagePort): ImageKeeper => {
  const awaited = new Map<number, (answer: Keeping) => void>();
  let lastId = 0;
  let closed = false;
  const settle = ({ id, answer }: ImageAnswer): void => {
    awaited.get(id)?.(answer);
    awaited.delete(id);
  };
  port.on('message', settle);
  port.on('close', () => {
    closed = true;
    for (const id of [...awaited.keys()]) settle({ id, answer: tryAgain });
  });
  port.unref();
  return {
    keep: (uid, parts) => {
      if (closed) return Promise.resolve(tryAgain);
      return new Promise((resolve) => {
        const id = ++lastId;
        awaited.set(id, resolve);
        port.postMessage({ id, uid, parts } satisfies ImageRequest, buffersOf(parts));
      });
    },
    remove: (file) => {
      if (!closed) port.postMessage({ remove: file } satisfies ImageRequest);
    },
  };
};

/** The main thread's end. */
export const serveImages = (port: MessagePort, keeper: ImageKeeper): void => {
  port.on('message', (request: ImageRequest) => {
    if ('remove' in request) {
      keeper.remove(request.remove);
      return;
    }
    const { id, uid, parts } = request;
    void keeper.keep(uid, parts).then((answer) => port.postMessage({ id, answer } satisfies ImageAnswer));
  });
  port.unref();
};

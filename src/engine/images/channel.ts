import type { MessagePort } from 'node:worker_threads';
import { answerQuestions, askQuestions } from '../../common/index.js';
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
type ImageQuestion =
  | { readonly uid: string; readonly parts: readonly Uint8Array[] }
  | { readonly remove: string };

const tryAgain: Keeping = { refusal: 'try_again' };

/**
 * The shard's end of what stores images, which the main thread owns. The port keeps no thread alive; the caller, who made it, closes
 * it. Then what is awaited resolves with `try_again`.
 */
export const createImageKeeper = (port: MessagePort): ImageKeeper => {
  const ask = askQuestions<ImageQuestion, Keeping>(port, tryAgain);
  return {
    keep: (uid, parts) =>
      ask(
        { uid, parts },
        parts.map(({ buffer }) => buffer),
      ),
    remove: (file) => void ask({ remove: file }),
  };
};

/** The main thread's end. */
export const serveImages = (port: MessagePort, keeper: ImageKeeper): void =>
  answerQuestions<ImageQuestion, Keeping>(port, async (question) => {
    if ('uid' in question) return keeper.keep(question.uid, question.parts);
    keeper.remove(question.remove);
    return tryAgain;
  });

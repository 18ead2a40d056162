import type { MessagePort } from 'node:worker_threads';
import { answerQuestions, askQuestions } from '../../common/index.js';
import type { Keeping } from '../../photos/index.js';

/** Stores the files of images. */
export interface ImageKeeper {
  /**
   * Writes an image to a file.
   * @param parts the image's base64, in order. Each part has its own buffer, which is transferred.
   * @returns `try_again` if the image cannot be written now or the engine is stopping. Never rejects.
   */
  keep(uid: string, parts: readonly Uint8Array[]): Promise<Keeping>;
  /** Removes the file of an image whose record was not stored. Never throws. */
  remove(file: string): void;
}

/** Message of the shard to the main thread. The buffers of the parts are transferred. */
type ImageQuestion =
  | { readonly uid: string; readonly parts: readonly Uint8Array[] }
  | { readonly remove: string };

const tryAgain: Keeping = { refusal: 'try_again' };

/**
 * Creates the shard's end of the channel to the image keeper, which the main thread owns. The port does not keep the
 * shard's thread alive. The caller created the port and closes it. Calls that are still pending then resolve with
 * `try_again`.
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

/** Answers the requests of a shard. Call it on the main thread. */
export const serveImages = (port: MessagePort, keeper: ImageKeeper): void =>
  answerQuestions<ImageQuestion, Keeping>(port, async (question) => {
    if ('uid' in question) return keeper.keep(question.uid, question.parts);
    keeper.remove(question.remove);
    return tryAgain;
  });

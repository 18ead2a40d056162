import type { IncomingMessage } from 'node:http';
import { fixedLimits } from '../../config/limits/index.js';
import { BodyPace } from '../listener/index.js';

/**
 * Reads and drops bodies whose requests are already answered. All of them share one rate, and clients take turns.
 * Otherwise a client could repeat a refused upload, and its bodies would occupy this thread. Main thread only.
 */
export class DroppedBodies {
  readonly #pace = new BodyPace(undefined, undefined, fixedLimits.droppedBodyRate.value);

  /**
   * Drops the rest of a request's body.
   * @returns a function that stops reading.
   */
  drop(message: IncomingMessage): () => void {
    let isStopped = false;
    const paced = this.#pace.body(message.socket.remoteAddress ?? '', () => void message.resume());
    message.on('data', (piece: Buffer) => {
      if (!paced.received(piece.length) || isStopped) message.pause();
    });
    message.once('close', () => paced.leave());
    message.resume();
    return () => {
      isStopped = true;
      paced.leave();
      message.pause();
    };
  }

  /** Stops reading bodies that wait for their turns. */
  close(): void {
    this.#pace.close();
  }
}

import type { Socket } from 'node:net';
import { nodeLimits } from './limits.js';

/**
 * Takes the requests of a connection one after the other: the next one starts when the answer to the one before it has left, in a
 * later turn of the loop. So a client cannot have thousands of them worked on in one turn. Main thread only.
 */
export class RequestQueue {
  /** Connections on which an answer is owed, with the requests that wait for it. */
  readonly #answering = new WeakMap<Socket, (() => void)[]>();
  /** Connections that end after an answer that was given. */
  readonly #ending = new WeakSet<Socket>();

  /** Whether an answer is owed on a connection, or is on its way. */
  isAnswering(socket: Socket): boolean {
    return this.#answering.has(socket) || this.#ending.has(socket);
  }

  /**
   * Starts a request, or has it wait. It is dropped where the connection ends, and ends the connection where too many wait.
   * @param start calls `answered` when its answer has left, if the connection goes on.
   */
  enter(socket: Socket, start: () => void): void {
    if (this.#ending.has(socket) || socket.destroyed) return;
    const waiting = this.#answering.get(socket);
    if (waiting === undefined) {
      this.#answering.set(socket, []);
      start();
    } else if (waiting.length < nodeLimits.pipelined) waiting.push(start);
    else socket.destroy();
  }

  /** The answer has left. @param goesOn whether the connection takes another request. */
  answered(socket: Socket, goesOn: boolean): void {
    const waiting = this.#answering.get(socket);
    if (!goesOn) {
      this.#ending.add(socket);
      this.#answering.delete(socket);
    } else if (waiting?.length) setImmediate(() => this.#next(socket, waiting));
    else this.#answering.delete(socket);
  }

  /** The connection is another protocol's from here on, or begins once more. */
  release(socket: Socket): void {
    this.#answering.delete(socket);
  }

  #next(socket: Socket, waiting: (() => void)[]): void {
    if (!socket.destroyed) waiting.shift()?.();
  }
}

import type { Socket } from 'node:net';
import { nodeLimits } from './limits.js';

/**
 * Runs the requests of a connection one after the other. After an answer was sent, the next request starts in a later
 * turn of the event loop. So thousands of requests of one client are never processed in one turn. Main thread only.
 */
export class RequestQueue {
  /** Connections with a pending answer, and the requests that wait for it. */
  readonly #answering = new WeakMap<Socket, (() => void)[]>();
  /** Connections that end once their current answer is sent. */
  readonly #ending = new WeakSet<Socket>();

  /** Returns whether an answer is pending or being sent on a connection. */
  isAnswering(socket: Socket): boolean {
    return this.#answering.has(socket) || this.#ending.has(socket);
  }

  /**
   * Starts a request, or queues it behind earlier requests. Drops the queued request if the connection ends. Ends the
   * connection if too many requests wait.
   * @param start handles the request. The caller calls `answered` when the answer has been sent.
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

  /**
   * Records that an answer has been sent, and starts the next request.
   * @param goesOn whether the connection accepts another request.
   */
  answered(socket: Socket, goesOn: boolean): void {
    const waiting = this.#answering.get(socket);
    if (!goesOn) {
      this.#ending.add(socket);
      this.#answering.delete(socket);
    } else if (waiting?.length) setImmediate(() => this.#next(socket, waiting));
    else this.#answering.delete(socket);
  }

  /**
   * Removes a connection from the queue, because another protocol takes it over or `asOrdinaryRequest` emits it again.
   */
  release(socket: Socket): void {
    this.#answering.delete(socket);
  }

  #next(socket: Socket, waiting: (() => void)[]): void {
    if (!socket.destroyed) waiting.shift()?.();
  }
}

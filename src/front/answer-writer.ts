import type uws from 'uWebSockets.js';
import type { IncomingMessage } from 'node:http';
import { answeredHeaders } from './proxy-headers.js';
import { statusLine } from './responses.js';

const bodiless = new Set([204, 304]);

/**
 * Writes the sidecar's answer to a client as it arrives. With a length the client sees that length; without one (a
 * stream of events) the body is chunked and every piece goes out at once. A client that does not read pauses the sidecar.
 */
export class AnswerWriter {
  readonly #response: uws.HttpResponse;
  readonly #answer: IncomingMessage;
  readonly #length: number;
  readonly #hasBody: boolean;
  readonly #isSettled: () => boolean;
  /** A piece that was only partly taken, and the write offset it began at. */
  #rest: Buffer | null = null;
  #restOffset = 0;

  /** @param isSettled whether the response may no longer be touched. */
  constructor(
    response: uws.HttpResponse,
    answer: IncomingMessage,
    isHead: boolean,
    isSettled: () => boolean,
  ) {
    this.#response = response;
    this.#answer = answer;
    const length = answer.headers['content-length'];
    this.#length = length === undefined ? Number.NaN : Number(length);
    this.#hasBody = !isHead && !bodiless.has(answer.statusCode ?? 200) && this.#length !== 0;
    this.#isSettled = isSettled;
  }

  /**
   * @param onEnd the whole answer is written.
   * @param onBroken the sidecar broke off in mid-answer.
   */
  start(onEnd: () => void, onBroken: () => void): void {
    const response = this.#response;
    this.#writeHead();
    if (!this.#hasBody) {
      this.#answer.resume();
      onEnd();
      return;
    }
    response.onWritable((offset) => this.#writable(offset, onEnd));
    this.#answer.on('data', (chunk: Buffer) => {
      if (this.#isSettled()) this.#answer.destroy();
      else response.cork(() => this.#write(chunk, onEnd));
    });
    this.#answer.on('end', () => {
      if (this.#isSettled()) return;
      if (Number.isNaN(this.#length)) {
        onEnd();
        response.cork(() => response.end());
      } else if (this.#rest === null) onBroken();
    });
    const broken = (): void => {
      if (!this.#isSettled() && !this.#answer.complete) onBroken();
    };
    this.#answer.on('aborted', broken);
    this.#answer.on('error', broken);
  }

  #writeHead(): void {
    const response = this.#response;
    response.cork(() => {
      response.writeStatus(statusLine(this.#answer.statusCode ?? 502));
      for (const [name, value] of answeredHeaders(this.#answer.rawHeaders)) response.writeHeader(name, value);
      if (this.#hasBody) return;
      const isBodiless = bodiless.has(this.#answer.statusCode ?? 200);
      if (isBodiless || Number.isNaN(this.#length)) response.endWithoutBody();
      else response.endWithoutBody(this.#length);
    });
  }

  #write(chunk: Buffer, onEnd: () => void): void {
    const response = this.#response;
    if (Number.isNaN(this.#length)) {
      // A chunked write is always taken whole; false only asks to wait.
      if (!response.write(chunk)) this.#answer.pause();
      return;
    }
    const offset = response.getWriteOffset();
    const [taken, done] = response.tryEnd(chunk, this.#length);
    if (done) onEnd();
    else if (!taken) {
      this.#rest = chunk;
      this.#restOffset = offset;
      this.#answer.pause();
    }
  }

  #writable(offset: number, onEnd: () => void): boolean {
    if (this.#isSettled()) return true;
    if (this.#rest !== null) {
      const [taken, done] = this.#response.tryEnd(
        this.#rest.subarray(offset - this.#restOffset),
        this.#length,
      );
      if (done) {
        onEnd();
        return true;
      }
      if (!taken) return false;
      this.#rest = null;
    }
    this.#answer.resume();
    return true;
  }
}

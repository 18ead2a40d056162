import type uws from 'uWebSockets.js';
import { answeredHeaders } from './proxy-headers.js';
import { statusLine } from './responses.js';

/** The sidecar's answer as far as it is known when it begins. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Name and value in turn. */
  readonly rawHeaders: readonly Buffer[];
  /** Whether it answers a HEAD request. */
  readonly isHead: boolean;
  /** Stops and restarts the flow of its body. */
  pause(): void;
  resume(): void;
}

const bodiless: ReadonlySet<number> = new Set([204, 304]);

/**
 * Writes the sidecar's answer to a client as it arrives. With a length the client sees that length; without one (a
 * stream of events) the body is chunked and every piece goes out at once. A client that does not read pauses the sidecar.
 * Every call must be made while the response may be touched.
 */
export class AnswerWriter {
  readonly #response: uws.HttpResponse;
  readonly #answer: UpstreamAnswer;
  readonly #length: number;
  readonly #hasBody: boolean;
  readonly #onEnd: () => void;
  /** A piece that was only partly taken, and the write offset it began at. */
  #rest: Buffer | null = null;
  #restOffset = 0;
  /** `performance.now()` since which the client reads nothing; undefined while it reads. */
  #stalledSince: number | undefined;

  /** @param onEnd the whole answer is written; the response may not be touched any more. */
  constructor(response: uws.HttpResponse, answer: UpstreamAnswer, onEnd: () => void) {
    this.#response = response;
    this.#answer = answer;
    const headers = answeredHeaders(answer.rawHeaders);
    const length = lengthOf(answer.rawHeaders);
    this.#length = length ?? Number.NaN;
    this.#hasBody = !answer.isHead && !bodiless.has(answer.status) && this.#length !== 0;
    this.#onEnd = onEnd;
    this.#writeHead(headers);
    if (this.#hasBody) response.onWritable((offset) => this.#writable(offset));
    else onEnd();
  }

  /** A piece of the body; the writer may keep it. */
  write(chunk: Buffer): void {
    if (this.#hasBody) this.#response.cork(() => this.#write(chunk));
  }

  /**
   * The sidecar's answer is complete.
   * @returns false when it was shorter than it announced: the client must not take it for whole.
   */
  end(): boolean {
    if (!this.#hasBody) return true;
    if (!Number.isNaN(this.#length)) return this.#rest !== null;
    this.#onEnd();
    this.#response.cork(() => this.#response.end());
    return true;
  }

  /** Ms for which the client has read nothing although there is something to read. */
  stalled(now: number): number {
    return this.#stalledSince === undefined ? 0 : now - this.#stalledSince;
  }

  #writeHead(headers: readonly [string, Buffer][]): void {
    const response = this.#response;
    response.cork(() => {
      response.writeStatus(statusLine(this.#answer.status));
      for (const [name, value] of headers) response.writeHeader(name, value);
      if (this.#hasBody) return;
      if (bodiless.has(this.#answer.status) || Number.isNaN(this.#length)) response.endWithoutBody();
      else response.endWithoutBody(this.#length);
    });
  }

  #write(chunk: Buffer): void {
    const response = this.#response;
    if (Number.isNaN(this.#length)) {
      // A chunked write is always taken whole; false only asks to wait.
      if (!response.write(chunk)) this.#pause();
      return;
    }
    const offset = response.getWriteOffset();
    const [taken, done] = response.tryEnd(chunk, this.#length);
    if (done) this.#onEnd();
    else if (!taken) {
      this.#rest = chunk;
      this.#restOffset = offset;
      this.#pause();
    }
  }

  #pause(): void {
    this.#stalledSince ??= performance.now();
    this.#answer.pause();
  }

  #writable(offset: number): boolean {
    if (this.#rest !== null) {
      this.#stalledSince = performance.now();
      const [taken, done] = this.#response.tryEnd(
        this.#rest.subarray(offset - this.#restOffset),
        this.#length,
      );
      if (!taken && !done) return false;
      this.#rest = null;
      if (done) this.#onEnd();
    }
    this.#stalledSince = undefined;
    // Also after the last byte: the sidecar's connection is free only when its answer has been read to its end.
    this.#answer.resume();
    return true;
  }
}

const lengthOf = (rawHeaders: readonly Buffer[]): number | undefined => {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toString('latin1').toLowerCase() === 'content-length') {
      return Number(rawHeaders[index + 1]!.toString('latin1'));
    }
  }
  return undefined;
};

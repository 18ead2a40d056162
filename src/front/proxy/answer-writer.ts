import { fixedLimits } from '../../config/limits/index.js';
import { type HttpResponse, statusLine } from '../listener/index.js';
import { answeredHeaders } from './proxy-headers.js';

/** The sidecar's answer as far as it is known when it begins. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Name and value in turn. */
  readonly rawHeaders: readonly Buffer[];
  /** Whether it answers a HEAD request. */
  readonly isHead: boolean;
  /** Whether the connection takes no further request. */
  readonly isLast: boolean;
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
  readonly #response: HttpResponse;
  readonly #answer: UpstreamAnswer;
  readonly #length: number;
  readonly #hasBody: boolean;
  readonly #onEnd: () => void;
  readonly #clock: () => number;
  /** A piece that was only partly taken, and the write offset it began at. */
  #rest: Buffer | null = null;
  #restOffset = 0;
  /** `clock()` since which the client reads nothing; undefined while it reads. */
  #stalledSince: number | undefined;
  /** Since when the client makes the answer wait, and how long it did before that, in ms. */
  #waitingSince: number | undefined;
  #waited = 0;
  #written = 0;

  /**
   * @param onEnd the whole answer is written; the response may not be touched any more.
   * @param clock ms, never backwards.
   */
  constructor(response: HttpResponse, answer: UpstreamAnswer, onEnd: () => void, clock: () => number) {
    this.#response = response;
    this.#answer = answer;
    const headers = answeredHeaders(answer.rawHeaders);
    const length = headerOf(answer.rawHeaders, 'content-length');
    this.#length = length === undefined ? Number.NaN : Number(length);
    this.#hasBody = !answer.isHead && !bodiless.has(answer.status) && this.#length !== 0;
    this.#onEnd = onEnd;
    this.#clock = clock;
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

  /**
   * Whether the client reads too slowly: nothing for `answerStall`, or, over all the time for which it made the answer wait
   * beyond that, less than `answerRate`. A stream of events that it keeps up with never waits.
   */
  tooSlow(now: number): boolean {
    const stall = fixedLimits.answerStall.value;
    if (this.#stalledSince !== undefined && now - this.#stalledSince >= stall) return true;
    const waited = this.#waited + (this.#waitingSince === undefined ? 0 : now - this.#waitingSince);
    return this.#written < ((waited - stall) / 1000) * fixedLimits.answerRate.value;
  }

  #writeHead(headers: readonly [string, Buffer][]): void {
    const response = this.#response;
    response.cork(() => {
      response.writeStatus(statusLine(this.#answer.status));
      for (const [name, value] of headers) response.writeHeader(name, value);
      if (this.#answer.isLast) response.writeHeader('Connection', 'close');
      if (this.#hasBody) return;
      if (bodiless.has(this.#answer.status) || Number.isNaN(this.#length)) response.endWithoutBody();
      else response.endWithoutBody(this.#length);
    });
  }

  #write(chunk: Buffer): void {
    const response = this.#response;
    this.#written += chunk.length;
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
    this.#stalledSince ??= this.#clock();
    this.#waitingSince ??= this.#stalledSince;
    this.#answer.pause();
  }

  #writable(offset: number): boolean {
    if (this.#rest !== null) {
      this.#stalledSince = this.#clock();
      const [taken, done] = this.#response.tryEnd(
        this.#rest.subarray(offset - this.#restOffset),
        this.#length,
      );
      if (!taken && !done) return false;
      this.#rest = null;
      if (done) this.#onEnd();
    }
    this.#stalledSince = undefined;
    if (this.#waitingSince !== undefined) this.#waited += this.#clock() - this.#waitingSince;
    this.#waitingSince = undefined;
    // Also after the last byte: the sidecar's connection is free only when its answer has been read to its end.
    this.#answer.resume();
    return true;
  }
}

/** The first value of a header. @param name in lower case. */
export const headerOf = (rawHeaders: readonly Buffer[], name: string): string | undefined => {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toString('latin1').toLowerCase() === name) {
      return rawHeaders[index + 1]!.toString('latin1');
    }
  }
  return undefined;
};

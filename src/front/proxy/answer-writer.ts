import { fixedLimits } from '../../config/limits/index.js';
import { type HttpResponse, statusLine } from '../listener/index.js';
import { answeredHeaders } from './proxy-headers.js';

/** The head of the sidecar's answer, and methods that control the arrival of its body. */
export interface UpstreamAnswer {
  readonly status: number;
  /** Header names and values, alternating. */
  readonly rawHeaders: readonly Buffer[];
  /** Whether the request was HEAD, so that the answer has no body. */
  readonly isHead: boolean;
  /** Whether the client's connection closes after this answer. */
  readonly isLast: boolean;
  /** Pauses the arrival of the body; `resume` continues it. */
  pause(): void;
  resume(): void;
}

const bodiless: ReadonlySet<number> = new Set([204, 304]);

/**
 * Writes the sidecar's answer to a client as it arrives. If the answer has a length, the client gets that length. An
 * answer without a length, for example an event stream, is chunked, and every piece is sent at once. If the client does
 * not read, reading from the sidecar pauses. Call methods only while the response is valid.
 */
export class AnswerWriter {
  readonly #length: number;
  readonly #hasBody: boolean;
  /** The unsent rest of a piece, and the write offset at which that piece began. */
  #rest: Buffer | null = null;
  #restOffset = 0;
  /** Time by `clock` at which the client stopped reading; undefined while the client reads. */
  #stalledSince: number | undefined;
  /** Time at which the client's current delay of the answer began; undefined while the client does not delay it. */
  #waitingSince: number | undefined;
  /** Total ms of the client's earlier delays of the answer. */
  #waited = 0;
  #written = 0;

  /**
   * @param onEnd called when the complete answer is written. The response must not be used afterwards.
   * @param clock returns ms that never decrease.
   */
  constructor(
    private readonly response: HttpResponse,
    private readonly answer: UpstreamAnswer,
    private readonly onEnd: () => void,
    private readonly clock: () => number,
  ) {
    const headers = answeredHeaders(answer.rawHeaders);
    const length = headerOf(answer.rawHeaders, 'content-length');
    this.#length = length === undefined ? Number.NaN : Number(length);
    this.#hasBody = !answer.isHead && !bodiless.has(answer.status) && this.#length !== 0;
    this.#writeHead(headers);
    if (this.#hasBody) response.onWritable((offset) => this.#writable(offset));
    else onEnd();
  }

  /** Writes a piece of the body. The writer owns the piece afterwards. */
  write(chunk: Buffer): void {
    if (this.#hasBody) this.response.cork(() => this.#write(chunk));
  }

  /**
   * Records the end of the sidecar's answer.
   * @returns false if the answer was shorter than announced. The caller must then show the client that the answer is
   *   incomplete.
   */
  end(): boolean {
    if (!this.#hasBody) return true;
    if (!Number.isNaN(this.#length)) return this.#rest !== null;
    this.onEnd();
    this.response.cork(() => this.response.end());
    return true;
  }

  /**
   * Returns whether the client reads too slowly: it read nothing for `answerStall`, or its rate is below `answerRate`.
   * Only the time in which the client delays the answer counts for the rate, without the first `answerStall` ms. So a
   * client that reads an event stream as it arrives is never too slow.
   */
  tooSlow(now: number): boolean {
    const stall = fixedLimits.answerStall.value;
    if (this.#stalledSince !== undefined && now - this.#stalledSince >= stall) return true;
    const waited = this.#waited + (this.#waitingSince === undefined ? 0 : now - this.#waitingSince);
    return this.#written < ((waited - stall) / 1000) * fixedLimits.answerRate.value;
  }

  #writeHead(headers: readonly [string, Buffer][]): void {
    const response = this.response;
    response.cork(() => {
      response.writeStatus(statusLine(this.answer.status));
      for (const [name, value] of headers) response.writeHeader(name, value);
      if (this.answer.isLast) response.writeHeader('Connection', 'close');
      if (this.#hasBody) return;
      if (bodiless.has(this.answer.status) || Number.isNaN(this.#length)) response.endWithoutBody();
      else response.endWithoutBody(this.#length);
    });
  }

  #write(chunk: Buffer): void {
    const response = this.response;
    this.#written += chunk.length;
    if (Number.isNaN(this.#length)) {
      // A chunked write always accepts the complete piece. The result false means that the next piece should wait.
      if (!response.write(chunk)) this.#pause();
      return;
    }
    const offset = response.getWriteOffset();
    const [taken, done] = response.tryEnd(chunk, this.#length);
    if (done) this.onEnd();
    else if (!taken) {
      this.#rest = chunk;
      this.#restOffset = offset;
      this.#pause();
    }
  }

  #pause(): void {
    this.#stalledSince ??= this.clock();
    this.#waitingSince ??= this.#stalledSince;
    this.answer.pause();
  }

  #writable(offset: number): boolean {
    if (this.#rest !== null) {
      this.#stalledSince = this.clock();
      const [taken, done] = this.response.tryEnd(
        this.#rest.subarray(offset - this.#restOffset),
        this.#length,
      );
      if (!taken && !done) return false;
      this.#rest = null;
      if (done) this.onEnd();
    }
    this.#stalledSince = undefined;
    if (this.#waitingSince !== undefined) this.#waited += this.clock() - this.#waitingSince;
    this.#waitingSince = undefined;
    // This call is also needed after the last byte. The sidecar's connection is free only when its answer has been read
    // to the end.
    this.answer.resume();
    return true;
  }
}

/**
 * Returns the first value of a header.
 * @param name in lower case.
 */
export const headerOf = (rawHeaders: readonly Buffer[], name: string): string | undefined => {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toString('latin1').toLowerCase() === name) {
      return rawHeaders[index + 1]!.toString('latin1');
    }
  }
  return undefined;
};

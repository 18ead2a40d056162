import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isTakenToEnd } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { holdHeader } from '../../wire/index.js';
import { type HttpResponse, refuseRequest } from '../listener/index.js';
import { AnswerWriter, headerOf } from './answer-writer.js';
import { GatheredChunks } from './gathered-chunks.js';
import { answeredHeaders, type ForwardedRequest } from './proxy-headers.js';

export interface ExchangeOptions {
  readonly response: HttpResponse;
  readonly forwarded: ForwardedRequest;
  /** Connections to the sidecar. The caller's. */
  readonly upstream: Dispatcher;
  /** Largest body, in bytes. */
  readonly bodyLimit: number;
  /** Bytes a second below which a body is given up. */
  readonly bodyRate: number;
  /**
   * Called where the sidecar gives a stream of events to the front; owns the response when it returns. An exchange without it
   * passes such an answer on.
   * @param headers of the answer, as name and value pairs.
   * @throws CochleaError when the stream has no place.
   */
  readonly hold?: (response: HttpResponse, uid: string, headers: readonly [string, Buffer][]) => void;
  /** Told whether the sidecar answered, and if not, why. */
  readonly reached: (failure?: Error) => void;
  /** Ms, never backwards; `performance.now` unless a test has its own. */
  readonly clock?: () => number;
  /** Called once, when neither the client nor the sidecar has to do with it any more. */
  readonly ended: () => void;
}

const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Errors of a kept connection that the sidecar closed just as a request took it. */
const closedMeanwhile: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
const bodyBuffer = 65_536;

/**
 * One request on its way to the sidecar, and its answer on the way back. The body streams; what one side does not read
 * makes the other wait. On the main thread only.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #response: HttpResponse;
  #controller: Dispatcher.DispatchController | null = null;
  #body: Readable | null = null;
  readonly #chunks = new GatheredChunks((bytes) => this.#push(bytes));
  #answer: AnswerWriter | null = null;
  #received = 0;
  #bodyEnded = false;
  /** `clock()` of the start, moved on by the time the sidecar made the client wait. */
  #bodyBegan: number;
  readonly #clock: () => number;
  #pausedAt: number | undefined;
  /** Nothing may be written to the client any more: it is gone, or it has its answer. */
  #settled = false;
  /** The client left a whole request whose answer has not begun. */
  #awaited = false;
  /** `clock()` at which the client left in the middle of the body. */
  #brokenOffAt: number | undefined;
  #retried = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#response = options.response;
    this.#clock = options.clock ?? (() => performance.now());
    this.#bodyBegan = this.#clock();
  }

  /** Sends the request. The response must have no abort handler yet. */
  start(): void {
    this.#response.onAborted(() => this.abandon());
    this.#bodyEnded = this.#options.forwarded.body.kind === 'none';
    this.#dispatch();
    if (this.#settled) return;
    this.#response.onData((chunk, isLast) => this.#receive(chunk, isLast));
  }

  /**
   * The client is gone, or the front closes. The sidecar may still work on the request, so that it keeps its place:
   * otherwise a client that leaves at once and comes again would have any number of requests worked on. A whole request is
   * left to the sidecar until its answer begins; of one that broke off, the check of its credentials may be under way.
   */
  abandon(): void {
    if (this.#settled) return;
    this.#settled = true;
    if (this.#answer !== null) {
      this.#cancel();
      this.#options.ended();
    } else if (this.#bodyEnded) {
      this.#awaited = true;
    } else {
      this.#brokenOffAt = this.#clock();
      this.#cancel();
    }
  }

  /** Ends what moves too slowly. Called about once a second with `performance.now()`. */
  check(now: number): void {
    if (this.#brokenOffAt !== undefined && now - this.#brokenOffAt >= fixedLimits.brokenOffRequest.value) {
      this.#brokenOffAt = undefined;
      this.#options.ended();
    }
    if (this.#settled) return;
    if (this.#answer !== null) {
      if (!this.#answer.tooSlow(now)) return;
      this.#settle();
      this.#cancel();
      this.#response.close();
      return;
    }
    if (this.#bodyEnded || this.#pausedAt !== undefined) return;
    const seconds = (now - this.#bodyBegan - fixedLimits.bodyGrace.value) / 1000;
    if (seconds > 0 && this.#received < seconds * this.#options.bodyRate) {
      this.#refuse(new CochleaError('body_too_slow'));
    }
  }

  /**
   * Bytes a second of a body that still arrives, on average.
   * @param now as for `check`.
   * @returns infinity where its rate cannot be judged yet, or says nothing: it has arrived, or the sidecar makes it wait.
   */
  bodyPace(now: number): number {
    const arrives =
      !this.#settled && this.#answer === null && !this.#bodyEnded && this.#pausedAt === undefined;
    return arrives && !this.isNew(now)
      ? (this.#received / (now - this.#bodyBegan)) * 1000
      : Number.POSITIVE_INFINITY;
  }

  /** Whether the rate of its body is not judged yet, because it has just begun. @param now as for `check`. */
  isNew(now: number): boolean {
    return now - this.#bodyBegan < fixedLimits.bodyGrace.value;
  }

  /** Ends an answer that would go on, in order; refuses the request where its answer has not begun. */
  endAnswer(): void {
    if (this.#settled) return;
    if (this.#answer === null) this.#refuse(new CochleaError('draining'));
    else if (this.#answer.end()) this.#cancel();
    else this.#breakOff();
  }

  /** Ends a request whose body arrives too slowly for those that wait for its place. The place is free when this returns. */
  giveWay(): void {
    this.#refuse(new CochleaError('body_too_slow'));
  }

  // What the upstream client calls

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) this.#cancel();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    this.#options.reached();
    if (this.#settled) {
      this.#leave();
      return;
    }
    const rawHeaders = (controller.rawHeaders ?? []) as Buffer[];
    const uid = this.#options.hold && status === 200 ? headerOf(rawHeaders, holdHeader) : undefined;
    if (uid !== undefined) {
      this.#giveAway(decodeURIComponent(uid), rawHeaders);
      return;
    }
    // A refusal does not wait for the rest of a long body, and its client may not go on sending it.
    const { body } = this.#options.forwarded;
    const isEarly =
      status >= 400 && !this.#bodyEnded && !isTakenToEnd(body.kind === 'length' ? body.bytes : undefined);
    if (isEarly) this.#pauseBody();
    else this.#resumeBody();
    this.#answer = new AnswerWriter(
      this.#response,
      {
        status,
        rawHeaders,
        isHead: this.#options.forwarded.method === 'HEAD',
        isLast: isEarly,
        pause: () => controller.pause(),
        resume: () => controller.resume(),
      },
      () => this.#settle(),
      this.#clock,
    );
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#settled) this.#answer?.write(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settled && this.#answer?.end() === false) this.#breakOff();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error & { code?: string }): void {
    if (this.#settled) {
      this.#leave();
      return;
    }
    if (this.#answer !== null) {
      this.#breakOff();
      return;
    }
    const { forwarded, reached } = this.#options;
    const mayRepeat = !this.#retried && repeatable.has(forwarded.method);
    if (mayRepeat && closedMeanwhile.has(error.code ?? '')) {
      this.#retried = true;
      this.#dispatch();
      return;
    }
    reached(error);
    this.#refuse(new CochleaError('upstream_unavailable'));
  }

  #dispatch(): void {
    const { forwarded, upstream } = this.#options;
    const { method, path, body } = forwarded;
    const headers = [...forwarded.headers];
    if (body.kind !== 'none') {
      this.#body = new Readable({ highWaterMark: bodyBuffer, read: () => this.#resumeBody() });
      // It is destroyed with its request, which reports the reason.
      this.#body.on('error', () => undefined);
      if (body.kind === 'length') headers.push('content-length', String(body.bytes));
    }
    try {
      upstream.dispatch({ method: method as Dispatcher.HttpMethod, path, headers, body: this.#body }, this);
    } catch (error) {
      this.#options.reached(error as Error);
      this.#refuse(new CochleaError('bad_request', { why: 'The request cannot be passed on' }));
    }
  }

  #receive(chunk: ArrayBuffer, isLast: boolean): void {
    this.#received += chunk.byteLength;
    if (isLast) this.#bodyEnded = true;
    const body = this.#body;
    if (this.#settled || body === null || body.destroyed) return;
    if (this.#received > this.#options.bodyLimit) {
      this.#refuse(new CochleaError('body_too_large', { limit: this.#options.bodyLimit }));
      return;
    }
    this.#chunks.add(chunk);
    if (!isLast) return;
    this.#chunks.flush();
    body.push(null);
  }

  #push(bytes: Buffer): void {
    const body = this.#body;
    if (this.#settled || body === null || body.destroyed || body.push(bytes)) return;
    if (!this.#bodyEnded) this.#pauseBody();
  }

  #pauseBody(): void {
    if (this.#pausedAt !== undefined) return;
    this.#pausedAt = this.#clock();
    this.#response.pause();
  }

  #resumeBody(): void {
    if (this.#pausedAt === undefined || this.#settled) return;
    this.#bodyBegan += this.#clock() - this.#pausedAt;
    this.#pausedAt = undefined;
    this.#response.resume();
  }

  /** Hands the response over to be held as a stream. What else comes of the sidecar's answer is read and means nothing. */
  #giveAway(uid: string, rawHeaders: readonly Buffer[]): void {
    const { hold } = this.#options;
    this.#settle();
    try {
      hold!(this.#response, uid, answeredHeaders(rawHeaders));
    } catch (error) {
      refuseRequest(this.#response, error as CochleaError);
    }
  }

  /** The sidecar has come to an end with a request that its client left. */
  #leave(): void {
    if (!this.#awaited) return;
    this.#awaited = false;
    this.#cancel();
    this.#options.ended();
  }

  #settle(): void {
    this.#settled = true;
    this.#options.ended();
  }

  #cancel(): void {
    this.#controller?.abort(new Error('the request was given up'));
  }

  /** The answer began and broke off: only cutting the connection tells the client. */
  #breakOff(): void {
    this.#settle();
    this.#response.close();
  }

  #refuse(error: CochleaError): void {
    if (this.#settled) return;
    this.#resumeBody();
    this.#settle();
    this.#cancel();
    refuseRequest(this.#response, error);
  }
}

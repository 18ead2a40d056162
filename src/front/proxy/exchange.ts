import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isTakenToEnd } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import { holdHeader } from '../../wire/index.js';
import { type BodyPace, type HttpResponse, type PacedBody, refuseRequest } from '../listener/index.js';
import { AnswerWriter, headerOf } from './answer-writer.js';
import { GatheredChunks } from './gathered-chunks.js';
import { answeredHeaders, type ForwardedRequest } from './proxy-headers.js';

export interface ExchangeOptions {
  readonly response: HttpResponse;
  readonly forwarded: ForwardedRequest;
  /** Connections to the sidecar. The caller owns them. */
  readonly upstream: Dispatcher;
  /** Maximum number of bytes in the request's body. */
  readonly bodyLimit: number;
  /** Minimum rate of the request's body in bytes per second. A request with a slower body is ended. */
  readonly bodyRate: number;
  /** Limits the rate of all long bodies. The caller owns it. */
  readonly pace: BodyPace;
  /** Key of the client's address group. Requests with the same key share the turns of `pace`. */
  readonly client: string;
  /**
   * Called when the sidecar hands an event stream over to the front. The callback owns the response once it returns.
   * Without a callback, the exchange passes the sidecar's answer on.
   * @param headers of the answer, as name and value pairs.
   * @throws CochleaError when the quota of streams is used up.
   */
  readonly hold?: (response: HttpResponse, uid: string, headers: readonly [string, Buffer][]) => void;
  /** Called without an argument when the sidecar answers, and with the error when it does not. */
  readonly reached: (failure?: Error) => void;
  /** Returns ms that never decrease; `performance.now` by default. */
  readonly clock?: () => number;
  /** Called once, when both the client and the sidecar have finished the exchange. */
  readonly ended: () => void;
}

const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Error codes that occur if the sidecar closes a reused connection just when a request begins. */
const closedMeanwhile: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
const bodyBuffer = 65_536;

/**
 * Passes one request to the sidecar, and the answer to the client. Both bodies are streamed, and a slow reader pauses
 * the sender. Main thread only.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #response: HttpResponse;
  #controller: Dispatcher.DispatchController | null = null;
  #body: Readable | null = null;
  readonly #chunks = new GatheredChunks((bytes) => this.#push(bytes));
  /**
   * Rate limit of the body. Set when the first chunk arrives, except if this chunk is short and contains the complete
   * body.
   */
  #paced: PacedBody | undefined;
  /** Whether reading the body is paused until its turn in `BodyPace`. */
  #waits = false;
  /** Whether reading the body is paused because the sidecar's buffer is full. */
  #full = false;
  #answer: AnswerWriter | null = null;
  #received = 0;
  #bodyEnded = false;
  /**
   * Time by `clock` at which the body began. The duration of each pause is added, so that pauses do not lower
   * the rate of the body.
   */
  #bodyBegan: number;
  readonly #clock: () => number;
  #pausedAt: number | undefined;
  /** Whether nothing more may be written to the client, because it disconnected or has its complete answer. */
  #settled = false;
  /** Whether the client disconnected after its request was complete and before the answer began. */
  #awaited = false;
  /** Time by `clock` at which the client disconnected before its body was complete. */
  #brokenOffAt: number | undefined;
  #retried = false;

  constructor(private readonly options: ExchangeOptions) {
    this.#response = options.response;
    this.#clock = options.clock ?? (() => performance.now());
    this.#bodyBegan = this.#clock();
  }

  /** Sends the request to the sidecar. The response must not have an abort handler yet. */
  start(): void {
    this.#response.onAborted(() => this.abandon());
    this.#bodyEnded = this.options.forwarded.body.kind === 'none';
    this.#dispatch();
    if (this.#settled) return;
    this.#response.onData((chunk, isLast) => this.#receive(chunk, isLast));
  }

  /**
   * Called when the client has disconnected or the front closes. The request occupies its quota while the sidecar may
   * still work on it. Otherwise a client could disconnect and reconnect at once, and have any number of requests
   * processed.
   *
   * A complete request stays with the sidecar until its answer begins. For an incomplete request, the sidecar may still
   * be checking the credentials.
   */
  abandon(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#paced?.leave();
    if (this.#answer !== null) {
      this.#cancel();
      this.options.ended();
    } else if (this.#bodyEnded) {
      this.#awaited = true;
    } else {
      this.#brokenOffAt = this.#clock();
      this.#cancel();
    }
  }

  /**
   * Ends transfers that are too slow. Called about once per second.
   * @param now `performance.now()`.
   */
  check(now: number): void {
    if (this.#brokenOffAt !== undefined && now - this.#brokenOffAt >= fixedLimits.brokenOffRequest.value) {
      this.#brokenOffAt = undefined;
      this.options.ended();
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
    if (seconds > 0 && this.#received < seconds * this.options.bodyRate) {
      this.#refuse(new CochleaError('body_too_slow'));
    }
  }

  /**
   * Returns the average rate of an arriving body, in bytes per second.
   * @param now as for `check`.
   * @returns infinity if the rate is unknown, because the body is new, complete or paused.
   */
  bodyPace(now: number): number {
    return this.#arrives && !this.isNew(now)
      ? (this.#received / (now - this.#bodyBegan)) * 1000
      : Number.POSITIVE_INFINITY;
  }

  /**
   * Returns for how many ms a body has been arriving; 0 if it is complete or paused.
   * @param now as for `check`.
   */
  bodyAge(now: number): number {
    return this.#arrives ? now - this.#bodyBegan : 0;
  }

  /**
   * Returns whether the body began so recently that its rate is not checked yet.
   * @param now as for `check`.
   */
  isNew(now: number): boolean {
    return now - this.#bodyBegan < fixedLimits.bodyGrace.value;
  }

  /** Completes an answer that has begun. If no answer has begun, refuses the request. */
  endAnswer(): void {
    if (this.#settled) return;
    if (this.#answer === null) this.#refuse(new CochleaError('draining'));
    else if (this.#answer.end()) this.#cancel();
    else this.#breakOff();
  }

  /** Refuses a request with a slow body, so that a waiting request can take its slot. The slot is free when this returns. */
  giveWay(): void {
    this.#refuse(new CochleaError('body_too_slow'));
  }

  /** Whether the body is incomplete and its client may send more of it. */
  get #arrives(): boolean {
    return !this.#settled && this.#answer === null && !this.#bodyEnded && this.#pausedAt === undefined;
  }

  // Callbacks of the upstream client follow.

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) this.#cancel();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    this.options.reached();
    if (this.#settled) {
      this.#leave();
      return;
    }
    const rawHeaders = (controller.rawHeaders ?? []) as Buffer[];
    const uid = this.options.hold && status === 200 ? headerOf(rawHeaders, holdHeader) : undefined;
    if (uid !== undefined) {
      this.#giveAway(decodeURIComponent(uid), rawHeaders);
      return;
    }
    // If the answer is an error, the client must stop sending a long body. So the error is sent before the rest of the
    // body arrives.
    const { body } = this.options.forwarded;
    const isEarly =
      status >= 400 && !this.#bodyEnded && !isTakenToEnd(body.kind === 'length' ? body.bytes : undefined);
    this.#paced?.leave();
    this.#waits = false;
    if (isEarly) this.#pauseBody();
    else this.#resumeBody();
    this.#answer = new AnswerWriter(
      this.#response,
      {
        status,
        rawHeaders,
        isHead: this.options.forwarded.method === 'HEAD',
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
    const { forwarded, reached } = this.options;
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
    const { forwarded, upstream } = this.options;
    const { method, path, body } = forwarded;
    const headers = [...forwarded.headers];
    if (body.kind !== 'none') {
      this.#body = new Readable({ highWaterMark: bodyBuffer, read: () => this.#drained() });
      // Errors of the body are ignored, because the request reports the reason.
      this.#body.on('error', () => undefined);
      if (body.kind === 'length') headers.push('content-length', String(body.bytes));
    }
    try {
      upstream.dispatch({ method: method as Dispatcher.HttpMethod, path, headers, body: this.#body }, this);
    } catch (error) {
      this.options.reached(error as Error);
      this.#refuse(new CochleaError('bad_request', { why: 'The request cannot be passed on' }));
    }
  }

  #receive(chunk: ArrayBuffer, isLast: boolean): void {
    this.#received += chunk.byteLength;
    if (isLast) this.#bodyEnded = true;
    const body = this.#body;
    if (this.#settled || body === null || body.destroyed) return;
    if (this.#received > this.options.bodyLimit) {
      this.#refuse(new CochleaError('body_too_large', { limit: this.options.bodyLimit }));
      return;
    }
    this.#chunks.add(chunk);
    // Once the answer has begun, the body no longer waits for turns. After an early refusal, the body stays paused for
    // good.
    if (this.#answer === null) this.#pace(chunk.byteLength, isLast);
    if (!isLast) return;
    this.#chunks.flush();
    body.push(null);
  }

  /** Counts bytes of the body, and pauses it if it must wait for its turn. */
  #pace(bytes: number, isLast: boolean): void {
    // A body that is one short chunk does not count against the rate. Most bodies are of this kind.
    if (this.#paced === undefined && isLast && bytes <= fixedLimits.unpacedBody.value) return;
    this.#paced ??= this.options.pace.body(this.options.client, () => {
      this.#waits = false;
      this.#continueBody();
    });
    const mayContinue = this.#paced.received(bytes, isLast);
    if (isLast) this.#paced.leave();
    if (mayContinue) return;
    this.#waits = true;
    this.#pauseBody();
  }

  #push(bytes: Buffer): void {
    const body = this.#body;
    if (this.#settled || body === null || body.destroyed || body.push(bytes) || this.#bodyEnded) return;
    this.#full = true;
    this.#pauseBody();
  }

  /** Called when the sidecar's buffer has space again. */
  #drained(): void {
    this.#full = false;
    this.#continueBody();
  }

  #continueBody(): void {
    if (!this.#full && !this.#waits) this.#resumeBody();
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

  /**
   * Hands the response over to `HeldStreams`, which continues it as an event stream. The rest of the sidecar's answer
   * is read and ignored.
   */
  #giveAway(uid: string, rawHeaders: readonly Buffer[]): void {
    const { hold } = this.options;
    this.#settle();
    try {
      hold!(this.#response, uid, answeredHeaders(rawHeaders));
    } catch (error) {
      refuseRequest(this.#response, error as CochleaError);
    }
  }

  /** Called when the sidecar has finished a request whose client had disconnected. */
  #leave(): void {
    if (!this.#awaited) return;
    this.#awaited = false;
    this.#cancel();
    this.options.ended();
  }

  #settle(): void {
    this.#settled = true;
    this.#paced?.leave();
    this.options.ended();
  }

  #cancel(): void {
    this.#controller?.abort(new Error('the request was given up'));
  }

  /**
   * Ends an incomplete answer by closing the connection, because only this shows the client that the answer is
   * incomplete.
   */
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

import { isTakenToEnd } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { CochleaError, ErrorCode } from '../../errors/index.js';
import { answerError, type HttpRequest, type HttpResponse, refuseRequest } from '../listener/index.js';

/** Refusals of requests that are well-formed and only come at the wrong time, or ask for too much. */
const takenErrors: ReadonlySet<ErrorCode> = new Set(['overloaded', 'body_too_large']);

/** Bytes of the body, as they were announced; undefined where there is none, or its length is not known. */
const announcedLength = (request: HttpRequest): number | undefined => {
  const length = request.getHeader('content-length');
  return length === '' || request.getHeader('transfer-encoding') !== '' ? undefined : Number(length);
};

/**
 * Refuses requests whose bodies have not arrived. A connection that is closed while the client writes is reset, and a client that
 * writes all of a body before it reads does not see the answer then. So what is not too long is taken, and dropped. On the main thread
 * only.
 */
export class RefusedBodies {
  readonly #limit: number;
  readonly #time: number;
  /** Answers that wait for the end of a body: what gives each of them. */
  readonly #waiting = new Set<() => void>();

  /**
   * @param limit bodies that are waited for at the same time at most.
   * @param time ms for which one is waited for.
   */
  constructor(
    limit: number = fixedLimits.refusedBodies.value,
    time: number = fixedLimits.refusedBodyTime.value,
  ) {
    this.#limit = limit;
    this.#time = time;
  }

  /** Bodies that are waited for. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Refuses a request whose handler has just run, and whose framing is valid unless `error` says that it is not. */
  refuse(response: HttpResponse, request: HttpRequest, error: CochleaError): void {
    if (!takenErrors.has(error.code) || !isTakenToEnd(announcedLength(request))) {
      refuseRequest(response, error);
    } else if (!/close/i.test(request.getHeader('connection'))) {
      // The listener drops the rest of the body, and closes the connection where that has not come within seconds.
      answerError(response, error, false);
    } else if (this.#waiting.size < this.#limit) {
      this.#answerLater(response, error);
    } else {
      refuseRequest(response, error);
    }
  }

  /** The client wants the connection closed with the answer, so that the answer has to be behind the body. */
  #answerLater(response: HttpResponse, error: CochleaError): void {
    const forget = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(answer);
    };
    const answer = (): void => {
      forget();
      answerError(response, error);
    };
    const timer = setTimeout(answer, this.#time);
    timer.unref();
    this.#waiting.add(answer);
    response.onAborted(forget);
    response.onData((_chunk, isLast) => {
      if (isLast) answer();
    });
  }
}

import { isTakenToEnd } from '../../common/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import type { CochleaError, ErrorCode } from '../../errors/index.js';
import { answerError, type HttpRequest, type HttpResponse, refuseRequest } from '../listener/index.js';

/**
 * Errors that refuse well-formed requests, for example while the engine is busy. The bodies of these requests may be
 * read.
 */
const takenErrors: ReadonlySet<ErrorCode> = new Set(['overloaded', 'body_too_large']);

/** Returns the announced length of the body in bytes; undefined if there is no body or its length is unknown. */
const announcedLength = (request: HttpRequest): number | undefined => {
  const length = request.getHeader('content-length');
  return length === '' || request.getHeader('transfer-encoding') !== '' ? undefined : Number(length);
};

/**
 * Refuses requests whose bodies have not arrived yet. If the connection closes while the client still writes, it is
 * reset. A client that reads only after it has written its complete body would then lose the answer. So a body of
 * moderate length is read and dropped first. Main thread only.
 */
export class RefusedBodies {
  /** Functions that send the pending answers. Each waits for the end of its request's body. */
  readonly #waiting = new Set<() => void>();

  /**
   * @param limit maximum number of bodies that are read at the same time.
   * @param time maximum ms to wait for a body.
   */
  constructor(
    private readonly limit: number = fixedLimits.refusedBodies.value,
    private readonly time: number = fixedLimits.refusedBodyTime.value,
  ) {}

  /** Number of bodies that are being read. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Refuses a request. Call it in the request's handler. The framing of the request must be valid, except if `error`
   * reports the invalid framing.
   */
  refuse(response: HttpResponse, request: HttpRequest, error: CochleaError): void {
    if (!takenErrors.has(error.code) || !isTakenToEnd(announcedLength(request))) {
      refuseRequest(response, error);
    } else if (!/close/i.test(request.getHeader('connection'))) {
      // The listener reads and drops the rest of the body. If the rest does not arrive within seconds, the listener
      // closes the connection.
      answerError(response, error, false);
    } else if (this.#waiting.size < this.limit) {
      this.#answerLater(response, error);
    } else {
      refuseRequest(response, error);
    }
  }

  /**
   * Answers after the body has arrived, for a client that wants the connection closed after the answer. If the answer
   * were sent earlier, the close could reset the connection, and the client could lose the answer.
   */
  #answerLater(response: HttpResponse, error: CochleaError): void {
    const forget = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(answer);
    };
    const answer = (): void => {
      forget();
      answerError(response, error);
    };
    const timer = setTimeout(answer, this.time);
    timer.unref();
    this.#waiting.add(answer);
    response.onAborted(forget);
    response.onData((_chunk, isLast) => {
      if (isLast) answer();
    });
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { anySignal } from '../../common/index.js';
import { VoiceFailure, voiceFailureOf } from '../../service/voice/index.js';
import { isDatabaseAway } from '../../store/client/index.js';
import type { VoiceMetrics, VoiceRoute } from '../metrics/index.js';

export interface AttemptOptions {
  readonly metrics: VoiceMetrics;
  readonly route: VoiceRoute;
  /** Ms from now. */
  readonly timeout: number;
  /** Name of what transcribes. */
  readonly provider: string;
}

/** One voice message from its request to its outcome, which is counted once. */
export class VoiceAttempt {
  /** Aborted when the client has left, and when the time is over. */
  readonly signal: AbortSignal;
  readonly #options: AttemptOptions;
  readonly #began = performance.now();
  readonly #gone = new AbortController();
  readonly #late: AbortSignal;
  readonly #request: FastifyRequest;
  #counted = false;

  constructor(options: AttemptOptions, request: FastifyRequest, reply: FastifyReply) {
    this.#options = options;
    this.#request = request;
    this.#late = AbortSignal.timeout(options.timeout);
    this.signal = anySignal(this.#gone.signal, this.#late);
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) this.#gone.abort();
    });
    // What is still to come of a body whose answer is sent is not read. Of one that is refused the connection ends gently.
    reply.raw.once('finish', () => {
      if (!request.raw.complete && reply.statusCode < 400) request.raw.destroy();
    });
  }

  /** Whether the client has left. */
  get isLeft(): boolean {
    const { raw } = this.#request;
    // A body that breaks off ends before its connection does.
    return this.#gone.signal.aborted || (raw.destroyed && !raw.complete);
  }

  /** Counts how it ended, the first time. */
  end(outcome: string, provider = this.#options.provider): void {
    if (this.#counted) return;
    this.#counted = true;
    const { metrics, route } = this.#options;
    metrics.ended(route, outcome, provider, (performance.now() - this.#began) / 1000);
  }

  /**
   * What anything that was thrown means for the client; a failure is counted. Of a client that has left nothing is.
   * @returns a `VoiceFailure`, or what the error handler answers.
   */
  failed(thrown: unknown): Error {
    if (this.isLeft || isDatabaseAway(thrown)) return thrown as Error;
    const failure = this.#late.aborted
      ? this.#inTime(thrown)
      : voiceFailureOf(thrown, this.#options.provider);
    if (failure instanceof VoiceFailure) this.#tell(failure);
    return failure;
  }

  /**
   * As `failed`, where the answer has begun: no other status can be sent any more, so that whatever is no failure of the contract, as a
   * database that is away, is one of what transcribes.
   */
  failure(thrown: unknown): VoiceFailure {
    const { provider } = this.#options;
    const found = this.#late.aborted ? this.#inTime(thrown) : voiceFailureOf(thrown, provider);
    const failure =
      found instanceof VoiceFailure ? found : new VoiceFailure('upstream_error', provider, { cause: found });
    this.#tell(failure);
    return failure;
  }

  /** The client left before the end. What it has been told by then is all that it wanted, where there is any. */
  left(hasText: boolean, provider: string): void {
    this.end(hasText ? 'success' : 'left', provider);
  }

  /** What was thrown after the time was over. */
  #inTime(thrown: unknown): VoiceFailure {
    return thrown instanceof VoiceFailure ? thrown : new VoiceFailure('timeout', this.#options.provider);
  }

  #tell(failure: VoiceFailure): void {
    this.end(failure.outcome, failure.provider);
    const { outcome, cause } = failure;
    this.#request.log.warn(
      { outcome, ...(cause !== undefined && { err: cause }) },
      'a voice message is not transcribed',
    );
  }
}

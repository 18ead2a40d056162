import type { FastifyReply, FastifyRequest } from 'fastify';
import { anySignal } from '../../common/index.js';
import { VoiceFailure, voiceFailureOf } from '../../service/voice/index.js';
import { isDatabaseAway } from '../../store/client/index.js';
import type { VoiceMetrics, VoiceRoute } from '../metrics/index.js';

export interface AttemptOptions {
  readonly metrics: VoiceMetrics;
  readonly route: VoiceRoute;
  /** Maximum ms of the attempt, from its creation. */
  readonly timeout: number;
  /** Name of the transcription provider. */
  readonly provider: string;
}

/** One voice message from its request to its outcome. The outcome is counted once. */
export class VoiceAttempt {
  /** Aborts when the client leaves or the timeout is reached. */
  readonly signal: AbortSignal;
  readonly #began = performance.now();
  readonly #gone = new AbortController();
  readonly #late: AbortSignal;
  #counted = false;

  constructor(
    private readonly options: AttemptOptions,
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {
    this.#late = AbortSignal.timeout(options.timeout);
    this.signal = anySignal(this.#gone.signal, this.#late);
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) this.#gone.abort();
    });
    // Stops reading the rest of a body after its answer. For a refused body, `installEarlyRefusals` closes the connection.
    reply.raw.once('finish', () => {
      if (!request.raw.complete && reply.statusCode < 400) request.raw.destroy();
    });
  }

  /** Whether the client has left. */
  get isLeft(): boolean {
    const { raw } = this.request;
    // If a body breaks off, the request is destroyed before the connection ends. So both are checked.
    return this.#gone.signal.aborted || (raw.destroyed && !raw.complete);
  }

  /** Counts the outcome. Only the first call counts. */
  end(outcome: string, provider = this.options.provider): void {
    if (this.#counted) return;
    this.#counted = true;
    const { metrics, route } = this.options;
    metrics.ended(route, outcome, provider, (performance.now() - this.#began) / 1000);
  }

  /**
   * Answers with the transcription failure for a thrown error, and counts it. Counts nothing if the client has left.
   * @throws every other error, for the error handler.
   */
  answerFailure(thrown: unknown): void {
    if (this.isLeft || isDatabaseAway(thrown)) throw thrown;
    const failure = this.#late.aborted ? this.#inTime(thrown) : voiceFailureOf(thrown, this.options.provider);
    if (!(failure instanceof VoiceFailure)) throw failure;
    this.#tell(failure);
    this.reply.status(failure.status).send(failure.body);
  }

  /**
   * Converts a thrown error to a transcription failure, and counts it. Use it for answers that have begun, because
   * their status can no longer change. So it also converts other errors, such as a lost database.
   */
  failure(thrown: unknown): VoiceFailure {
    const { provider } = this.options;
    const found = this.#late.aborted ? this.#inTime(thrown) : voiceFailureOf(thrown, provider);
    const failure =
      found instanceof VoiceFailure ? found : new VoiceFailure('upstream_error', provider, { cause: found });
    this.#tell(failure);
    return failure;
  }

  /** Counts a message whose client left early. It counts as a success if the client had received text. */
  left(hasText: boolean, provider: string): void {
    this.end(hasText ? 'success' : 'left', provider);
  }

  /** Converts an error that was thrown after the timeout. The result is a timeout, unless the error is already a voice failure. */
  #inTime(thrown: unknown): VoiceFailure {
    return thrown instanceof VoiceFailure ? thrown : new VoiceFailure('timeout', this.options.provider);
  }

  #tell(failure: VoiceFailure): void {
    this.end(failure.outcome, failure.provider);
    const { outcome, cause } = failure;
    this.request.log.warn(
      { outcome, ...(cause !== undefined && { err: cause }) },
      'a voice message is not transcribed',
    );
  }
}

import { CochleaError, type ErrorCode } from '../../errors/index.js';
import { failureCode, type Outcome } from '../../stt/shared/index.js';

export type FailedOutcome = Exclude<Outcome, 'success' | 'expected_silence'>;

/**
 * The error that a client receives for a voice message that was not transcribed. It has only these five members, and
 * contains no text from a provider. The message comes from the error registry. For invalid audio, the message states
 * the reason.
 */
export interface VoiceFailureBody {
  readonly error: string;
  readonly outcome: FailedOutcome;
  readonly provider: string;
  readonly retryable: boolean;
  readonly message: string;
}

/** Thrown for a voice message that was not transcribed. */
export class VoiceFailure extends Error {
  override readonly name = 'VoiceFailure';
  readonly #error: CochleaError;

  /**
   * @param provider name of the provider, or `unknown` if none was asked.
   * @param options `reason` is the registry error whose message the client receives. Default: the error of
   *   the outcome.
   */
  constructor(
    readonly outcome: FailedOutcome,
    readonly provider: string,
    options: { readonly cause?: unknown; readonly reason?: CochleaError } = {},
  ) {
    const error = new CochleaError(failureCode(outcome)!);
    const { reason, cause = reason } = options;
    super((reason ?? error).message, { cause });
    this.#error = error;
  }

  get status(): number {
    return this.#error.entry.http!;
  }

  get body(): VoiceFailureBody {
    const { outcome, provider, message } = this;
    const { code, entry } = this.#error;
    return { error: code, outcome, provider, retryable: entry.retryable ?? false, message };
  }
}

/** Errors that mean an invalid voice message, regardless of the provider. */
const invalidInput: ReadonlySet<ErrorCode> = new Set([
  'audio_file_unsupported',
  'channels_unsupported',
  'codec_unknown',
  'multipart_invalid',
  'recording_invalid',
  'recording_name_invalid',
  'recording_too_long',
  'sample_rate_unsupported',
  'stt_invalid_input',
]);

/**
 * Errors that clients receive in their usual form instead of a voice failure. They concern a limit or the idempotency
 * key of the request.
 */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'body_too_large',
  'idempotency_conflict',
  'idempotency_gone',
  'rate_limited',
  'voice_full',
]);

/**
 * Converts an error of receiving, decoding or transcribing a voice message to a voice failure. Errors with a code in
 * `refusals` are returned unchanged.
 */
export const voiceFailureOf = (thrown: unknown, provider: string): Error => {
  if (thrown instanceof VoiceFailure) return thrown;
  if (!(thrown instanceof CochleaError))
    return new VoiceFailure('upstream_error', provider, { cause: thrown });
  if (refusals.has(thrown.code)) return thrown;
  if (invalidInput.has(thrown.code)) return new VoiceFailure('invalid_input', 'unknown', { reason: thrown });
  const unavailable =
    thrown.code === 'stt_provider_configuration_error' || thrown.code === 'codec_unavailable';
  if (unavailable) return new VoiceFailure('config_error', 'unknown', { cause: thrown });
  const late = thrown.code === 'stt_timeout';
  return new VoiceFailure(late ? 'timeout' : 'upstream_error', provider, { cause: thrown });
};

import type { ErrorCode } from '../errors/index.js';
import type { Outcome } from './provider.js';

const failureCodes = {
  empty_unexpected: 'stt_empty_unexpected',
  timeout: 'stt_timeout',
  upstream_error: 'stt_upstream_error',
  config_error: 'stt_provider_configuration_error',
  invalid_input: 'stt_invalid_input',
} as const satisfies Partial<Record<Outcome, ErrorCode>>;

const retryable: ReadonlySet<Outcome> = new Set<Outcome>(['empty_unexpected', 'timeout', 'upstream_error']);

/** Whether an outcome is a failure of transcription: neither text nor known silence. */
export const isFailure = (outcome: Outcome): outcome is keyof typeof failureCodes => outcome in failureCodes;

/** Whether sending the same audio again may help. */
export const isRetryable = (outcome: Outcome): boolean => retryable.has(outcome);

/** The registry error that reports a failed outcome; nothing for success and silence. */
export const failureCode = (outcome: Outcome): ErrorCode | undefined =>
  isFailure(outcome) ? failureCodes[outcome] : undefined;

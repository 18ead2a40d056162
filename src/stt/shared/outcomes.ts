import type { ErrorCode } from '../../errors/index.js';

/** The outcomes of a transcription, as clients get them for voice messages. */
export type Outcome =
  | 'success'
  | 'expected_silence'
  | 'empty_unexpected'
  | 'timeout'
  | 'upstream_error'
  | 'config_error'
  | 'invalid_input';

const failureCodes: Readonly<Partial<Record<Outcome, ErrorCode>>> = {
  empty_unexpected: 'stt_empty_unexpected',
  timeout: 'stt_timeout',
  upstream_error: 'stt_upstream_error',
  config_error: 'stt_provider_configuration_error',
  invalid_input: 'stt_invalid_input',
};

/** Returns the error code for a failed outcome; undefined for success and silence. */
export const failureCode = (outcome: Outcome): ErrorCode | undefined => failureCodes[outcome];

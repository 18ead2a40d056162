import { CochleaError } from '../../errors/index.js';
import type { providerDeathReasons } from '../../metrics/index.js';
import type { Outcome } from './outcomes.js';

/** Reason why a provider refuses a stream or stops serving it. `providerDeathReasons` describes each reason. */
export type DeathReason = (typeof providerDeathReasons)[number];

/**
 * Reports that a provider did not accept or no longer serves a stream. The message contains no text of the
 * provider.
 */
export class ProviderError extends Error {
  constructor(
    readonly reason: DeathReason,
    options?: ErrorOptions,
  ) {
    super(`the provider does not serve: ${reason}`, options);
    this.name = 'ProviderError';
  }
}

/** Returns the reason for an error that `connect` has thrown. */
export const reasonOfDeath = (thrown: unknown): DeathReason => {
  if (thrown instanceof ProviderError) return thrown.reason;
  if (!(thrown instanceof CochleaError)) return 'refused';
  if (thrown.code === 'stt_provider_configuration_error' || thrown.code === 'model_missing')
    return 'unusable';
  return thrown.code === 'stt_timeout' ? 'connect_timeout' : 'refused';
};

/** Returns the outcome for speech whose stream ended for this reason. */
export const outcomeOfDeath = (reason: DeathReason): Outcome => {
  if (reason === 'unusable') return 'config_error';
  return reason === 'connect_timeout' || reason === 'no_answer' ? 'timeout' : 'upstream_error';
};

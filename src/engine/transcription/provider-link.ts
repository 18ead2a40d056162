import { CochleaError } from '../../errors/index.js';
import type { Logger } from '../../log/index.js';
import { type MetricsRow, providerLabel } from '../../metrics/index.js';
import { connectOnce, ProviderHealth } from '../../stt/providers/index.js';
import {
  type DeathReason,
  failureCode,
  type Outcome,
  outcomeOfDeath,
  type Provider,
  type ProviderEvent,
  type ProviderStream,
  reasonOfDeath,
  type UtteranceResult,
} from '../../stt/shared/index.js';
import { type EngineClock, type FailureReason, serviceFailed } from '../shared/index.js';

/** Chooses the best provider that is not in `exclude`. Returns null if there is none. */
export type ProviderChooser = (
  language: string,
  wanted: string | null,
  exclude: ReadonlySet<string>,
) => Provider | null;

export interface Connected {
  readonly provider: Provider;
  readonly stream: ProviderStream;
}

/** Describes why a provider cannot serve a stream. */
export interface ProviderFailure {
  readonly outcome: Outcome;
  readonly provider: string;
  readonly reason: FailureReason;
}

/** Objects that are needed to connect a stream to a provider. */
export interface ProviderLinkContext {
  readonly choose: ProviderChooser;
  readonly health: ProviderHealth;
  readonly clock: Pick<EngineClock, 'sleep'>;
  readonly metrics: MetricsRow;
  /** Maximum time in ms for one attempt to connect. */
  readonly connectTimeout: number;
}

export interface ConnectRequest {
  readonly id: string;
  readonly user: string;
  readonly language: string;
  readonly wanted: string | null;
  /** Providers that must not be tried. */
  readonly exclude?: ReadonlySet<string>;
  /** Handles the events of the successful connection. Failed attempts send no events. */
  readonly emit: (event: ProviderEvent, provider: Provider) => void;
  readonly log: Logger;
}

/** Number of attempts to connect to one provider before the next provider is tried. */
const attempts = 3;
/** Pause in ms before the second attempt. The pause doubles after each attempt. */
const firstPause = 200;
/** Failures that would repeat at once, so no further attempt is made with the same provider. */
const hopeless: ReadonlySet<DeathReason> = new Set([
  'unusable',
  'socket_unavailable',
  'connect_timeout',
  'quota_exceeded',
  'capacity_full',
]);

/**
 * Connects a stream. It makes a few attempts with the chosen provider, then with the next provider that supports
 * the language. It skips providers with an open circuit breaker.
 * @returns the connection, or the failure of the last provider if none could be connected.
 */
export const connectProvider = async (
  first: Provider,
  request: ConnectRequest,
  context: ProviderLinkContext,
): Promise<Connected | ProviderFailure> => {
  const tried = new Set(request.exclude);
  let failure: ProviderFailure = {
    outcome: 'upstream_error',
    provider: first.name,
    reason: 'initialization_failed',
  };
  for (
    let provider: Provider | null = first;
    provider !== null && !tried.has(provider.name);
    provider = context.choose(request.language, request.wanted, tried)
  ) {
    tried.add(provider.name);
    for (let number = 0; number < attempts; number++) {
      if (number > 0) await context.clock.sleep(firstPause * 2 ** (number - 1));
      try {
        return await attempt(provider, request, context);
      } catch (thrown) {
        if (ProviderHealth.isOpen(thrown)) break;
        const reason = reasonOfDeath(thrown);
        countDeath(context.metrics, provider.name, reason);
        request.log.warn({ provider: provider.name, reason }, 'provider did not connect');
        failure = {
          outcome: outcomeOfDeath(reason),
          provider: provider.name,
          reason: 'initialization_failed',
        };
        if (hopeless.has(reason)) break;
      }
    }
  }
  return failure;
};

export const countDeath = (metrics: MetricsRow, provider: string, reason: DeathReason): void =>
  metrics.add(`provider_deaths_total{provider="${providerLabel(provider)}",reason="${reason}"}`);

/** Makes one attempt to connect, and measures its duration. */
const attempt = async (
  provider: Provider,
  { emit, id, user, language }: ConnectRequest,
  { clock, connectTimeout: timeout, health, metrics }: ProviderLinkContext,
): Promise<Connected> => {
  const began = performance.now();
  const stream = await connectOnce(
    provider,
    { id, user, language, emit: (event) => emit(event, provider) },
    { health, timeout, sleep: (milliseconds) => clock.sleep(milliseconds) },
  );
  const label = providerLabel(provider.name);
  metrics.add(`provider_connects_total{provider="${label}"}`);
  metrics.observe(`provider_connect_seconds{provider="${label}"}`, (performance.now() - began) / 1000);
  return { provider, stream };
};

/** Returns the failure to report to the client when a connection dies during a session. */
export const failureOfDeath = (provider: string, reason: DeathReason): ProviderFailure => ({
  outcome: outcomeOfDeath(reason),
  provider,
  reason: reason === 'send_failed' || reason === 'socket_unavailable' ? reason : 'connection_lost',
});

/** Whether the words of an utterance are lost, because the provider failed and retained no audio. */
export const isLost = (result: UtteranceResult): boolean =>
  (result.outcome === 'timeout' || result.outcome === 'upstream_error') && result.retained === undefined;

/** Returns the `stt_failed` message for a failure. It contains fixed sentences and no text of the provider. */
export const failureMessage = ({ outcome, provider, reason }: ProviderFailure): string => {
  const error = new CochleaError(failureCode(outcome) ?? 'stt_upstream_error');
  return serviceFailed({
    statusText: error.message,
    outcome,
    provider,
    retryable: error.entry.retryable,
    reason,
  });
};

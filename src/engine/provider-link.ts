import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import { failureCode } from '../stt/outcomes.js';
import type { Outcome, Provider, ProviderStream, UtteranceResult } from '../stt/provider.js';
import type { EngineClock } from './clock.js';
import { type FailureReason, serviceFailed } from './server-events.js';

/** Who may serve a stream, best first. */
export type ProviderChooser = (
  language: string,
  wanted: string | null,
  exclude: ReadonlySet<string>,
) => Provider | null;

export interface Connected {
  readonly provider: Provider;
  readonly stream: ProviderStream;
}

/** A provider that cannot serve any longer. */
export interface ProviderFailure {
  readonly outcome: Outcome;
  readonly provider: string;
  readonly reason: FailureReason;
}

/** Times a provider is asked to connect before the next one is. */
const attempts = 3;
/** Pause before the second attempt, in ms; doubles. */
const firstPause = 200;

/**
 * Connects a stream: a few attempts with the provider chosen for it, then with the next one that supports the language.
 * @returns the failure of the last one when none could be connected.
 */
export const connectProvider = async (
  first: Provider,
  stream: { readonly id: string; readonly language: string; readonly wanted: string | null },
  choose: ProviderChooser,
  clock: Pick<EngineClock, 'sleep'>,
  log: Logger,
): Promise<Connected | ProviderFailure> => {
  const tried = new Set<string>();
  let failure: ProviderFailure = {
    outcome: 'upstream_error',
    provider: first.name,
    reason: 'initialization_failed',
  };
  for (
    let provider: Provider | null = first;
    provider !== null;
    provider = choose(stream.language, stream.wanted, tried)
  ) {
    if (tried.has(provider.name)) break;
    tried.add(provider.name);
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) await clock.sleep(firstPause * 2 ** (attempt - 1));
      try {
        return { provider, stream: await provider.connect({ id: stream.id, language: stream.language }) };
      } catch (thrown) {
        log.warn({ provider: provider.name, err: thrown }, 'provider did not connect');
        const outcome = connectOutcome(thrown);
        failure = { outcome, provider: provider.name, reason: 'initialization_failed' };
        if (outcome === 'config_error') break;
      }
    }
  }
  return failure;
};

const connectOutcome = (thrown: unknown): Outcome => {
  if (!(thrown instanceof CochleaError)) return 'upstream_error';
  if (thrown.code === 'stt_provider_configuration_error' || thrown.code === 'model_missing')
    return 'config_error';
  return thrown.code === 'stt_timeout' ? 'timeout' : 'upstream_error';
};

/** Whether a result means that the words are gone: the provider gave up and kept no audio. */
export const isLost = (result: UtteranceResult): boolean =>
  (result.outcome === 'timeout' || result.outcome === 'upstream_error') && result.retained === undefined;

/** The `stt_failed` message of a failure: fixed sentences, nothing a provider said. */
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

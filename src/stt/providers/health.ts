import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { type DeathReason, ProviderError, reasonOfDeath } from '../shared/index.js';

/** `open`: nothing is tried. `half-open`: one connection is tried, all others wait for what becomes of it. */
export type BreakerState = 'closed' | 'half-open' | 'open';

/** How a connection fared, as one shard tells the others. */
export interface HealthReport {
  readonly provider: string;
  /** null: it serves. */
  readonly failure: DeathReason | null;
}

export interface ProviderHealthOptions {
  /** Failures one after the other after which a provider is not tried for a while. */
  readonly failures: number;
  /** Ms for which it is not tried. */
  readonly pause: number;
  readonly onState?: (provider: string, state: BreakerState) => void;
  /** Takes what the other shards should know: failures that count, and the first success after one. */
  readonly tell?: (report: HealthReport) => void;
}

/** Reasons that say nothing about other streams of the provider. */
const ownFault: ReadonlySet<DeathReason> = new Set(['capacity_full', 'bad_message']);

const stateNames: Readonly<Partial<Record<CircuitState, BreakerState>>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
};

/**
 * Circuit breakers, one a provider: one that fails again and again is left alone for a while, so that streams go to the next
 * one at once. Each shard has its own, and learns what the other shards of its process tell.
 */
export class ProviderHealth {
  readonly #options: ProviderHealthOptions;
  readonly #breakers = new Map<string, CircuitBreakerPolicy>();
  /** Providers of which this process has seen a failure and no success since. */
  readonly #failing = new Set<string>();

  constructor(options: ProviderHealthOptions) {
    this.#options = options;
  }

  /**
   * Runs one attempt to connect.
   * @throws what it throws, or an error of which `isOpen` is true when it was not begun.
   */
  async attempt<Result>(provider: string, connect: () => Promise<Result>): Promise<Result> {
    try {
      const result = await this.#breakerOf(provider).execute(connect);
      if (this.#failing.delete(provider)) this.#options.tell?.({ provider, failure: null });
      return result;
    } catch (thrown) {
      if (!ProviderHealth.isOpen(thrown)) this.#failed(provider, reasonOfDeath(thrown));
      throw thrown;
    }
  }

  /** A connection that served has died. */
  died(provider: string, reason: DeathReason): void {
    if (ownFault.has(reason)) return;
    this.#failed(provider, reason);
    this.#count(provider, reason);
  }

  /** Another shard of this process has told how a connection of its own fared. */
  learn({ provider, failure }: HealthReport): void {
    if (failure === null) this.#failing.delete(provider);
    else this.#failing.add(provider);
    this.#count(provider, failure);
  }

  static isOpen(thrown: unknown): boolean {
    return thrown instanceof BrokenCircuitError;
  }

  #failed(provider: string, failure: DeathReason): void {
    if (ownFault.has(failure)) return;
    this.#failing.add(provider);
    this.#options.tell?.({ provider, failure });
  }

  /** Counts what happened elsewhere as if it had been an attempt. */
  #count(provider: string, failure: DeathReason | null): void {
    const outcome = async (): Promise<void> => {
      if (failure !== null) throw new ProviderError(failure);
    };
    this.#breakerOf(provider)
      .execute(outcome)
      .catch(() => undefined);
  }

  #breakerOf(provider: string): CircuitBreakerPolicy {
    const known = this.#breakers.get(provider);
    if (known !== undefined) return known;
    const { failures, pause, onState } = this.#options;
    const counts = handleWhen((error) => !ownFault.has(reasonOfDeath(error)));
    const breaker = circuitBreaker(counts, {
      halfOpenAfter: pause,
      breaker: new ConsecutiveBreaker(failures),
    });
    breaker.onStateChange((state) => {
      const name = stateNames[state];
      if (name !== undefined) onState?.(provider, name);
    });
    this.#breakers.set(provider, breaker);
    return breaker;
  }
}

import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { type DeathReason, ProviderError, reasonOfDeath } from '../shared/index.js';

/** `open`: no attempts are made. `half-open`: one connection is tried, while all other attempts wait for its result. */
export type BreakerState = 'closed' | 'half-open' | 'open';

/** The outcome of a connection, as reported to the other shards. */
export interface HealthReport {
  readonly provider: string;
  /** Reason why the connection failed; null if the connection works. */
  readonly failure: DeathReason | null;
}

export interface ProviderHealthOptions {
  /** Number of consecutive failures that open the breaker of a provider. */
  readonly failures: number;
  /** Time in ms during which an open breaker allows no attempt. */
  readonly pause: number;
  readonly onState?: (provider: string, state: BreakerState) => void;
  /** Sends a report to the other shards: each failure that counts, and the first success after failures. */
  readonly tell?: (report: HealthReport) => void;
}

/**
 * Failures that no breaker counts. `capacity_full` and `bad_message` do not predict whether other streams of the
 * provider will fail. `socket_unavailable` says that the local transcriber is unavailable. The transcriber reports when
 * it is available again, so a pause would only delay the next streams.
 */
const uncounted: ReadonlySet<DeathReason> = new Set(['capacity_full', 'bad_message', 'socket_unavailable']);

const stateNames: Readonly<Partial<Record<CircuitState, BreakerState>>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Open]: 'open',
};

/**
 * One circuit breaker for each provider. After repeated failures a provider is skipped for a while, so that streams
 * use the next provider at once. Each shard has its own instance, which also applies the reports of the process's
 * other shards.
 */
export class ProviderHealth {
  readonly #breakers = new Map<string, CircuitBreakerPolicy>();
  /** Providers that failed and have not succeeded since, in any shard of this process. */
  readonly #failing = new Set<string>();

  constructor(private readonly options: ProviderHealthOptions) {}

  /**
   * Runs one attempt to connect.
   * @throws the error of the attempt. When the breaker is open, an error for which `isOpen` returns true.
   */
  async attempt<Result>(provider: string, connect: () => Promise<Result>): Promise<Result> {
    try {
      const result = await this.#breakerOf(provider).execute(connect);
      if (this.#failing.delete(provider)) this.options.tell?.({ provider, failure: null });
      return result;
    } catch (thrown) {
      if (!ProviderHealth.isOpen(thrown)) this.#failed(provider, reasonOfDeath(thrown));
      throw thrown;
    }
  }

  /** Counts the death of a connection that the provider had accepted. */
  died(provider: string, reason: DeathReason): void {
    if (uncounted.has(reason)) return;
    this.#failed(provider, reason);
    this.#count(provider, reason);
  }

  /** Applies a report of another shard of this process. */
  learn({ provider, failure }: HealthReport): void {
    if (failure === null) this.#failing.delete(provider);
    else this.#failing.add(provider);
    this.#count(provider, failure);
  }

  static isOpen(thrown: unknown): boolean {
    return thrown instanceof BrokenCircuitError;
  }

  #failed(provider: string, failure: DeathReason): void {
    if (uncounted.has(failure)) return;
    this.#failing.add(provider);
    this.options.tell?.({ provider, failure });
  }

  /**
   * Counts an outcome that does not come from `attempt`: the death of a connection, or a report of another shard. It
   * counts like the outcome of an attempt.
   */
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
    const { failures, pause, onState } = this.options;
    const counts = handleWhen((error) => !uncounted.has(reasonOfDeath(error)));
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

import { randomUUID } from 'node:crypto';
import type { Logger } from '../log/index.js';
import { type Sql, treatmentOf } from '../store/client/index.js';
import { renewEngineLease } from '../store/live/index.js';

export interface EngineLeaseOptions {
  readonly engineId: string;
  readonly shard: number;
  /** Number of ms after which the lease expires if it is not renewed. */
  readonly leaseDuration: number;
  readonly log: Logger;
}

/**
 * The lease of one journal. It covers all conversations that the journal holds. Each journal has a name of its own. So
 * the lease of a lost shard, or of an earlier run of the engine, expires even while the engine is running.
 */
export class EngineLease {
  /** Name of this journal as the holder of conversations. */
  readonly holder: string;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #renewing: Promise<void> | undefined;

  constructor(private readonly options: EngineLeaseOptions) {
    this.holder = `${options.engineId}/${options.shard}/${randomUUID()}`;
  }

  /** Whether a third of the duration has passed since the last renewal. */
  get due(): boolean {
    return performance.now() - this.#renewedAt >= this.options.leaseDuration / 3;
  }

  /**
   * Renews the lease. Concurrent calls share one statement. A refusal by the database is logged.
   * @throws the database's error if the database is unavailable.
   */
  renew(sql: Sql): Promise<void> {
    this.#renewing ??= this.#renew(sql).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(sql: Sql): Promise<void> {
    const began = performance.now();
    try {
      await renewEngineLease(sql, this.holder, this.options.leaseDuration);
      this.#renewedAt = began;
    } catch (thrown) {
      if (treatmentOf(thrown) !== 'reject') throw thrown;
      this.options.log.error({ err: thrown }, 'the database refuses to renew a lease');
    }
  }
}

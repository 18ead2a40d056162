import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Sql } from '../../store/client/index.js';
import { countOpenJobs } from '../../store/jobs/index.js';

/** Counts the jobs of conversations, for a Prometheus page of the sidecar. */
export interface StepMetrics {
  /** Counts an attempt. @param seconds duration of the attempt, including the model's answer. */
  attempted(step: string, outcome: string, seconds: number): void;
  /** Returns the text of the page. Reads the number of jobs from the database. */
  page(): Promise<string>;
  readonly contentType: string;
  /** Registry for metrics of other parts of the sidecar. */
  readonly registry: Registry;
}

/** Runs an attempt and counts it. Rejects if the attempt rejects. */
export const counted = async <Outcome extends string>(
  metrics: StepMetrics | undefined,
  step: string,
  attempt: () => Promise<Outcome>,
): Promise<Outcome> => {
  const began = performance.now();
  const end = (outcome: string): void =>
    metrics?.attempted(step, outcome, (performance.now() - began) / 1000);
  try {
    const outcome = await attempt();
    end(outcome);
    return outcome;
  } catch (error) {
    end('failed');
    throw error;
  }
};

/**
 * Histogram buckets in seconds. An attempt takes milliseconds without a model, and up to several minutes with a model.
 */
const buckets = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300];

export const createStepMetrics = (sql: Sql): StepMetrics => {
  const registry = new Registry();
  const registers = [registry];
  const attempts = new Counter({
    name: 'cochlea_step_attempts_total',
    help: 'Attempts at steps of conversations by outcome. Failed attempts are repeated.',
    labelNames: ['step', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'cochlea_step_seconds',
    help: 'Duration of attempts at steps.',
    labelNames: ['step'],
    buckets,
    registers,
  });
  new Gauge({
    name: 'cochlea_jobs',
    help: 'Waiting and dead jobs of conversations in all sidecars, by step and state.',
    labelNames: ['step', 'state'],
    registers,
    async collect() {
      const counts = await countOpenJobs(sql);
      this.reset();
      for (const { step, state, count } of counts) this.set({ step, state }, count);
    },
  });
  return {
    attempted(step, outcome, time) {
      attempts.inc({ step, outcome });
      seconds.observe({ step }, time);
    },
    page: () => registry.metrics(),
    contentType: registry.contentType,
    registry,
  };
};

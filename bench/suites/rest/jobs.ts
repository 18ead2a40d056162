import { setTimeout as pause } from 'node:timers/promises';
import { joinSlices } from '../../fleet/load-row.js';
import { loadRow, measureLoad } from '../../fleet/measure.js';
import type { Slice } from '../../fleet/session.js';
import { quantileOf } from '../../fleet/targets/server-page.js';
import type { Row, SuiteOutcome } from '../../report/index.js';
import { type AskedLoadOptions, loadWords, measureAsked } from '../asked-load.js';
import { labelsOf } from '../fleet.js';
import {
  type FinishedConversations,
  finishedConversations,
  type Progress,
} from './finished-conversations.js';

/**
 * Maximum ratio: the live streams' p99 while conversations are processed, divided by the live streams' p99 without
 * them.
 */
export const toleratedRatio = 1.5;
/** Maximum seconds from the end of the measurement until all jobs must have ended. */
const afterwards = 300;

export interface JobsOptions extends AskedLoadOptions {
  /** URL of the target's database. */
  readonly databaseUrl: string;
  /** Number of conversations that finish during the measurement. */
  readonly conversations: number;
  readonly settle: number;
  readonly seconds: number;
  readonly slice: number;
}

export interface JobsOutcome extends SuiteOutcome {
  /** Reasons why the server failed; empty if it passed. */
  readonly failures: readonly string[];
}

/** Compares live streams alone with live streams during jobs. Checks that all jobs ended. */
export const judgeJobs = (
  alone: readonly Slice[],
  beside: readonly Slice[],
  wanted: number,
  { completed, waiting, dead }: Progress,
): { readonly ratio: number | undefined; readonly failures: readonly string[] } => {
  const failures: string[] = [];
  if (completed < wanted) failures.push(`${completed} of ${wanted} conversations were processed`);
  if (waiting + dead > 0) failures.push(`${waiting} steps wait and ${dead} were given up`);
  const dropped = joinSlices(beside).dropped;
  if (dropped > 0) failures.push(`${dropped} frames were dropped`);
  const own = quantileOf(joinSlices(alone).frameToVad, 0.99);
  const disturbed = quantileOf(joinSlices(beside).frameToVad, 0.99);
  if (own === undefined || disturbed === undefined) {
    return { ratio: undefined, failures: [...failures, 'no window was decided'] };
  }
  const ratio = disturbed / own;
  if (ratio > toleratedRatio) {
    failures.push(
      `p99 ${disturbed.toFixed(1)} ms beside jobs, ${own.toFixed(1)} ms without: ` +
        `${ratio.toFixed(2)} times, at most ${toleratedRatio}`,
    );
  }
  return { ratio, failures };
};

/**
 * Waits until all jobs have ended, but at most until the limit. @returns the progress of the jobs, and the seconds of
 * the wait.
 */
const untilDone = async (
  conversations: FinishedConversations,
  wanted: number,
  signal: AbortSignal,
): Promise<{ readonly progress: Progress; readonly seconds: number }> => {
  const began = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const progress = await conversations.progress();
    const seconds = (performance.now() - began) / 1000;
    const isDone = progress.completed >= wanted && progress.waiting === 0;
    if (isDone || seconds > afterwards) return { progress, seconds };
    await pause(500);
  }
};

/** Measures live streams alone, and while many conversations finish. Tests whether the jobs of these conversations delay the streams. */
export const runJobs = (options: JobsOptions): Promise<JobsOutcome> =>
  measureAsked('jobs', options, async (load, streams) => {
    const { asked, settle, seconds, view, signal, conversations: wanted } = options;
    const measure = (): Promise<readonly Slice[]> =>
      measureLoad(load.session, { ...options, streams, onSlice: (slice) => view.slice(slice) });
    view.phase(`${load.target.name}: ${streams} streams, undisturbed`, seconds, settle);
    const alone = await measure();
    const conversations = await finishedConversations(options.databaseUrl, wanted);
    try {
      view.phase(`${load.target.name}: ${streams} streams, ${wanted} conversations finish`, seconds, settle);
      const [beside] = await Promise.all([measure(), conversations.finishWithin(settle + seconds)]);
      const [before, embedded] = await Promise.all([conversations.progress(), conversations.embedded()]);
      view.phase('the jobs that are left', afterwards);
      const { progress, seconds: more } = await untilDone(conversations, wanted, signal);
      view.line(
        `${before.completed} of ${wanted} conversations had their summary when the last one ended, ${before.waiting} steps were left, ` +
          `${embedded} texts had been embedded; all were done ${more.toFixed(1)} s later`,
      );
      const { ratio, failures } = judgeJobs(alone, beside, wanted, progress);
      const labels = { ...labelsOf('jobs', options, load.target), asked: loadWords(asked), streams };
      const row = (mode: string, slices: readonly Slice[]): Row =>
        loadRow({ ...labels, mode }, slices, load.baselineKb);
      const results: Row[] = [
        row('undisturbed', alone),
        {
          ...row('while conversations finish', beside),
          conversations: wanted,
          against: 'undisturbed',
          ...(ratio === undefined ? {} : { ratio: Number(ratio.toPrecision(4)) }),
        },
      ];
      return { results, failures };
    } finally {
      await conversations.close();
    }
  });

import { createUser } from '../../src/identity/users.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { Console, type ConsoleCounts } from '../consoles/console.js';
import { cpuPerStreamSecond, joinSlices } from '../fleet/load-row.js';
import { loadRow, measureLoad } from '../fleet/measure.js';
import type { Slice } from '../fleet/session.js';
import { startHosted } from '../fleet/targets/hosted-target.js';
import { quantile } from '../micro/stats.js';
import type { Row, SuiteOutcome } from '../report/index.js';
import { readingOf } from '../words/material.js';
import { type AskedLoadOptions, loadWords, measureAsked } from './asked-load.js';
import { startProductData } from './database.js';
import { labelsOf } from './fleet.js';
import { losses } from './hostile.js';

/** Seconds of speech that each console repeats. */
const speechSeconds = 60;
/** Minimum relative difference of the CPU time that counts as more than noise. */
const leastDifference = 0.02;

export interface ConsolesOptions extends Omit<AskedLoadOptions, 'target'> {
  /** Number of consoles that record at the same time. */
  readonly consoles: number;
  /**
   * Number of rounds. Each round measures the streams alone, together with each of two kinds of consoles, and alone
   * again.
   */
  readonly rounds: number;
  readonly settle: number;
  readonly seconds: number;
  readonly slice: number;
  /** CPUs that the engine may use; absent: any CPU. */
  readonly cpus?: string | undefined;
}

/** CPU time of the engine per second of audio in one round, in ms. */
export interface ConsoleRound {
  readonly before: number;
  readonly after: number;
  readonly plain: number;
  readonly active: number;
}

export interface ConsolesOutcome extends SuiteOutcome {
  /** Reasons why the server failed; empty if it passed. */
  readonly failures: readonly string[];
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Compares the CPU time of paired measurements. The noise is the change between the two measurements without consoles. */
export const judgeConsoles = (
  rounds: readonly ConsoleRound[],
): {
  readonly noise: number;
  /** CPU time with consoles that ask for activity, divided by the CPU time without consoles. */
  readonly consoles: number;
  /** CPU time with consoles that ask for activity, divided by the CPU time with consoles that do not ask for it. */
  readonly activity: number;
  readonly failures: readonly string[];
} => {
  const noise = median(rounds.map(({ before, after }) => Math.abs(Math.log(after / before))));
  const consoles = median(rounds.map(({ before, after, active }) => (2 * active) / (before + after)));
  const activity = median(rounds.map(({ plain, active }) => active / plain));
  const bound = Math.max(leastDifference, noise);
  const failures = Object.entries({ 'beside consoles': consoles, 'with activity': activity }).flatMap(
    ([what, ratio]) =>
      Math.log(ratio) <= bound
        ? []
        : [`CPU of the engine ${what}: ${ratio.toFixed(3)} times, noise ${(bound * 100).toFixed(1)} %`],
  );
  return { noise, consoles, activity, failures };
};

/**
 * Measures the CPU time of the engine with streams alone, and with streams and consoles that record and poll. The
 * transcription service is a stub in its own process.
 */
export const runConsoles = async (options: ConsolesOptions): Promise<ConsolesOutcome> => {
  const { consoles: count, rounds: roundCount, asked, settle, seconds, view, cpus } = options;
  const closing: (() => unknown)[] = [];
  try {
    const { database, env } = await startProductData(closing);
    const target = () => startHosted('provider_b', cpus, env);
    return await measureAsked('consoles', { ...options, target }, async (load, streams) => {
      const sql = connectDatabase(database.url, { max: 2, name: 'bench' });
      closing.unshift(() => sql.end({ timeout: 1 }));
      const base = new URL(load.target.url.replace(/^ws/, 'http')).origin;
      const { pcm } = await readingOf(speechSeconds, 0, { least: 700, most: 1500 });
      const users = Array.from({ length: count }, (_, index) => `console-${index}`);
      for (const uid of users) await createUser(sql, { uid });
      const counts: ConsoleCounts[] = [];
      const measure = async (activity: boolean | null): Promise<readonly Slice[]> => {
        const opened =
          activity === null
            ? []
            : await Promise.all(users.map((uid) => Console.open({ base, sql, uid, pcm, activity })));
        try {
          return await measureLoad(load.session, {
            ...options,
            streams,
            onSlice: (slice) => view.slice(slice),
          });
        } finally {
          const closed = await Promise.all(opened.map((one) => one.close()));
          if (activity === true) counts.push(...closed);
        }
      };
      const slices = {
        before: [] as Slice[],
        active: [] as Slice[],
        plain: [] as Slice[],
        after: [] as Slice[],
      };
      const rounds: ConsoleRound[] = [];
      for (let round = 0; round < roundCount; round++) {
        const costs: Record<string, number> = {};
        // The order of the two kinds alternates, so that a drift affects both alike.
        const kinds = round % 2 === 0 ? (['active', 'plain'] as const) : (['plain', 'active'] as const);
        for (const mode of ['before', ...kinds, 'after'] as const) {
          options.signal.throwIfAborted();
          view.phase(`round ${round + 1} of ${roundCount}: ${streams} streams, ${mode}`, seconds, settle);
          const measured = await measure(mode === 'before' || mode === 'after' ? null : mode === 'active');
          slices[mode].push(...measured);
          costs[mode] = cpuPerStreamSecond(joinSlices(measured)) ?? Number.NaN;
        }
        rounds.push(costs as unknown as ConsoleRound);
      }
      const { noise, consoles, activity, failures } = judgeConsoles(rounds);
      const labels = { ...labelsOf('consoles', options, load.target), asked: loadWords(asked), streams };
      const row = (mode: string, of: readonly Slice[]): Row =>
        loadRow({ ...labels, mode }, of, load.baselineKb);
      const against = (mode: string, ratio: number) => ({
        against: mode,
        ratio: Number(ratio.toPrecision(4)),
      });
      const total = (of: (one: ConsoleCounts) => number): number =>
        counts.reduce((sum, one) => sum + of(one), 0);
      view.line(
        `${total((one) => one.activities)} changes of speech, ${total((one) => one.polls)} requests, ` +
          `${total((one) => one.failedPolls)} failed; noise ${(noise * 100).toFixed(1)} %`,
      );
      const plain = `beside ${count} consoles without activity`;
      return {
        results: [
          row('alone', [...slices.before, ...slices.after]),
          row(plain, slices.plain),
          { ...row(`beside ${count} consoles`, slices.active), ...against('alone', consoles) },
          { ...row(`beside ${count} consoles, paired`, slices.active), ...against(plain, activity) },
        ],
        failures: [
          ...failures,
          ...losses('beside consoles', joinSlices(slices.active)),
          ...(total((one) => one.failedPolls) > 0 ? ['requests of consoles failed'] : []),
          ...(total((one) => one.activities) === 0 ? ['no console got a change of speech'] : []),
        ],
      };
    });
  } finally {
    for (const close of closing) await close();
  }
};

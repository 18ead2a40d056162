import type { Row, SuiteOutcome } from '../report/index.js';
import { type CostOptions, runCost } from './cost.js';

/** Factor from ms of CPU per stream-second to seconds of CPU per day of one stream. */
const perDay = 86_400 / 1000;

/** Adds the CPU time of a wearer-day to a row with a cost per stream-second. */
export const withWearerDay = (row: Row): Row =>
  row.cpu_ms_per_stream_s === undefined
    ? row
    : { ...row, cpu_s_per_wearer_day: Number((row.cpu_ms_per_stream_s * perDay).toPrecision(6)) };

/**
 * Measures what a wearer's day costs: speech for a quarter of the time, among the sounds of houses, streets, wind, music
 * and clothes. Each codec and contender is measured like in the suite `cost`.
 */
export const runDay = async (options: Omit<CostOptions, 'suite' | 'materials'>): Promise<SuiteOutcome> => {
  const outcome = await runCost({ ...options, suite: 'day', materials: ['wearer-day'] });
  return { ...outcome, results: outcome.results.map(withWearerDay) };
};

import { isDisturbed } from '../fleet/load.js';
import { beyond, type ServiceLevel } from '../fleet/load-row.js';
import { loadRow, measureLoad } from '../fleet/measure.js';
import type { Slice } from '../fleet/session.js';
import type { Row, Series, SuiteOutcome } from '../report/index.js';
import { type AskedLoadOptions, loadWords, measureAsked } from './asked-load.js';
import { labelsOf } from './fleet.js';
import { isLeak, slopeOf } from './slope.js';

/** Share of the run, at its start, in which memory may grow. A heap takes minutes to reach its size. */
const growing = 0.2;

export interface SoakOptions extends AskedLoadOptions {
  readonly minutes: number;
  /** Seconds of load before the memory is judged. Caches and heap reach their size in this time. */
  readonly settle: number;
  readonly slice: number;
}

export interface SoakOutcome extends SuiteOutcome {
  /** Reasons why the server failed; empty if it passed. */
  readonly failures: readonly string[];
}

/**
 * Returns the number of frames that were lost in slices within the service level. No overload explains these losses.
 */
const unexplained = (slices: readonly Slice[], level: ServiceLevel): number =>
  slices
    .filter((slice) => beyond({ ...slice, dropped: 0 }, level) === undefined)
    .reduce((sum, { dropped }) => sum + dropped, 0);

/**
 * Returns the memory at the end of each slice, as pairs of seconds since the start and KB. The buffered speech of open
 * utterances is not included.
 */
const memoryOf = (slices: readonly Slice[]): [number, number][] => {
  let at = 0;
  return slices.flatMap(({ seconds, memory, speechBufferBytes }): [number, number][] => {
    at += seconds;
    return memory === undefined ? [] : [[at, memory.rssKb - speechBufferBytes / 1024]];
  });
};

/** Judges the slices of a soak run. */
export const judgeSoak = (
  slices: readonly Slice[],
  level: ServiceLevel,
): { fields: Partial<Row>; failures: string[] } => {
  const points = memoryOf(slices);
  const length = points.at(-1)?.[0] ?? 0;
  const slope = slopeOf(points.filter(([at]) => at > length * growing));
  const drops = unexplained(slices, level);
  const failures = drops > 0 ? [`${drops} frames dropped that no overload explains`] : [];
  if (slope === undefined) return { fields: { unexplained_drops: drops }, failures };
  const size = points.reduce((sum, [, kb]) => sum + kb, 0) / points.length;
  if (isLeak(slope, size)) {
    failures.push(
      `memory grows by ${slope.perMinute.toFixed(0)} KB a minute (at least ${slope.low.toFixed(0)})`,
    );
  }
  return {
    fields: {
      rss_slope_kb_per_min: slope.perMinute,
      rss_slope_low_kb_per_min: slope.low,
      rss_slope_high_kb_per_min: slope.high,
      unexplained_drops: drops,
    },
    failures,
  };
};

/** Runs a constant load for minutes. Tests whether memory grows, and whether frames are lost without an overload. */
export const runSoak = (options: SoakOptions): Promise<SoakOutcome> =>
  measureAsked('soak', options, async (load, streams) => {
    const { asked, minutes, capacity, view } = options;
    const seconds = minutes * 60;
    view.phase(`${load.target.name}: ${streams} streams, ${minutes} min`, seconds, options.settle);
    const slices = await measureLoad(load.session, {
      ...options,
      streams,
      seconds,
      onSlice: (slice) => view.slice(slice),
    });
    const level = { frameToVadMs: capacity.slo, disturbed: isDisturbed(options) };
    const { fields, failures } = judgeSoak(slices, level);
    const labels = { ...labelsOf('soak', options, load.target), asked: loadWords(asked), streams };
    const row = { ...loadRow(labels, slices, load.baselineKb), ...fields };
    const points = memoryOf(slices);
    const series: Series[] =
      points.length < 2
        ? []
        : [{ suite: 'soak', contender: row.contender, name: 'rss_kb', unit: 'KB', x: 'time_s', points }];
    return { results: [row], series, failures };
  });

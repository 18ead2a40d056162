import { median } from '../micro/stats.js';

/** Growth of a value over time, with its 95 % confidence interval. */
export interface Slope {
  readonly perMinute: number;
  readonly low: number;
  readonly high: number;
}

/** Maximum relative growth per hour of memory without a leak. */
const toleratedGrowth = 0.01;

/**
 * Returns whether memory leaks. The growth must be certain, because its interval excludes 0, and must exceed one
 * percent per hour.
 * @param size mean of the readings
 */
export const isLeak = ({ low, perMinute }: Slope, size: number): boolean =>
  low > 0 && perMinute * 60 > toleratedGrowth * size;

/**
 * Number of blocks into which the readings are divided. Garbage collection correlates neighbouring readings, but hardly
 * the medians of blocks.
 */
const blocks = 12;
/** 97.5th percentile of Student's distribution for 1 to 10 degrees of freedom (NIST/SEMATECH handbook, 1.3.6.7.2). */
const student = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Returns the slope of readings: divides them into blocks, and fits a line to the medians of the blocks by least
 * squares.
 * @param points pairs of time in s and value, in order of time.
 * @returns undefined for fewer than three readings.
 */
export const slopeOf = (points: readonly (readonly [number, number])[]): Slope | undefined => {
  const count = Math.min(blocks, points.length);
  if (count < 3) return undefined;
  const parts = Array.from({ length: count }, (_, i) =>
    points.slice(Math.floor((i * points.length) / count), Math.floor(((i + 1) * points.length) / count)),
  );
  const times = parts.map((part) => mean(part.map(([time]) => time / 60)));
  const values = parts.map((part) => median(part.map(([, value]) => value)));
  const [time, value] = [mean(times), mean(values)];
  const squares = times.reduce((sum, t) => sum + (t - time) ** 2, 0);
  const perMinute = times.reduce((sum, t, i) => sum + (t - time) * (values[i]! - value), 0) / squares;
  const rest = times.reduce((sum, t, i) => sum + (values[i]! - value - perMinute * (t - time)) ** 2, 0);
  const error = Math.sqrt(rest / (count - 2) / squares);
  const margin = student[count - 3]! * error;
  return { perMinute, low: perMinute - margin, high: perMinute + margin };
};

import type { StreamFormat } from '../../wire/index.js';
import { sampleBytesOf } from './forms/index.js';
import type { FrameSample } from './frame-sample.js';

/** The speed at which a stream arrives, if it is steady. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** Ms between two frames. */
  readonly interval: number;
}

/** Minimum number of frames for measuring a pace. */
const fewestFrames = 8;
/** Minimum time in ms for measuring a pace. */
const shortest = 800;
/** Maximum deviation from an even flow of bytes at any time, as a share of all bytes. */
const unevenness = 0.12;

/** Returns the pace of a sample; null if its frames arrive in bursts, or are too few. */
export const paceOf = ({ lengths, arrivals }: Pick<FrameSample, 'lengths' | 'arrivals'>): Pace | null => {
  const last = arrivals.length - 1;
  if (last < fewestFrames - 1) return null;
  const began = arrivals[0]!;
  const elapsed = arrivals[last]! - began;
  if (elapsed < shortest) return null;
  let total = 0;
  for (let index = 1; index <= last; index++) total += lengths[index]!;
  if (total === 0) return null;
  // A frame contains the audio recorded since the previous frame. The audio of the first frame was recorded before the
  // measured time began, so the first frame does not count.
  let came = 0;
  for (let index = 1; index <= last; index++) {
    came += lengths[index]!;
    if (Math.abs(came / total - (arrivals[index]! - began) / elapsed) > unevenness) return null;
  }
  return { bytesPerSecond: (total * 1000) / elapsed, interval: elapsed / last };
};

/** Returns the ms between two messages if messages arrive evenly; null if they arrive in bursts, or are too few. */
export const intervalOf = (arrivals: Float64Array): number | null => {
  const last = arrivals.length - 1;
  if (last < fewestFrames - 1) return null;
  const elapsed = arrivals[last]! - arrivals[0]!;
  if (elapsed < shortest) return null;
  const even = arrivals.every(
    (arrival, index) => Math.abs(index / last - (arrival - arrivals[0]!) / elapsed) <= unevenness,
  );
  return even ? elapsed / last : null;
};

/** Returns how many seconds of audio a PCM stream of the declared format sends per second. */
export const paceRatio = ({ bytesPerSecond }: Pace, format: StreamFormat): number =>
  bytesPerSecond / (sampleBytesOf(format) * format.sampleRate * format.channels);

/** Rates that devices usually have, in Hz. */
const usualRates = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const;
/** Maximum relative difference between a measured rate and a usual rate. */
const rateTolerance = 0.08;

/** Returns the usual rate nearest to a measured rate; null if no usual rate is near. */
export const usualRate = (measured: number): number | null => {
  const distance = (rate: number): number => Math.abs(Math.log(measured / rate));
  const nearest = usualRates.reduce((best, rate) => (distance(rate) < distance(best) ? rate : best));
  return distance(nearest) <= rateTolerance ? nearest : null;
};

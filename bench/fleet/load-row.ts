import { quantile, spread } from '../micro/stats.js';
import type { Row } from '../report/index.js';
import { countedQuantile } from './counted.js';
import { countOf, countWords, sumOf } from './sent.js';
import type { Slice } from './session.js';
import { merged, quantileOf, windowMs } from './targets/server-page.js';

/**
 * Maximum 99th percentile of the frames' lateness in ms. If it is higher, the load generator is too slow, not the
 * server.
 */
const latestGenerator = 5;
const busiestGenerator = 0.95;

/** Joins several slices into one. */
export const joinSlices = (slices: readonly Slice[]): Slice => {
  const total = (pick: (slice: Slice) => number | undefined): number | undefined =>
    slices.every((slice) => pick(slice) !== undefined)
      ? slices.reduce((sum, slice) => sum + pick(slice)!, 0)
      : undefined;
  const last = slices.at(-1);
  if (!last) throw new RangeError('no slices');
  return {
    ...last,
    open: Math.min(...slices.map(({ open }) => open)),
    seconds: total((slice) => slice.seconds)!,
    sent: sumOf(slices.map(({ sent }) => sent)),
    framesDecoded: total((slice) => slice.framesDecoded)!,
    framesInvalid: total((slice) => slice.framesInvalid)!,
    vadWindows: total((slice) => slice.vadWindows)!,
    dropped: total((slice) => slice.dropped)!,
    frameToVad: merged(slices.map(({ frameToVad }) => frameToVad)),
    cpuMs: total((slice) => slice.cpuMs),
    othersCpuMs: total((slice) => slice.othersCpuMs),
  };
};

/** Returns the seconds of audio that the server has passed to the detector, summed over all streams. */
export const streamSeconds = ({ vadWindows }: Slice): number => (vadWindows * windowMs) / 1000;

/**
 * Returns the server's CPU time in ms per second of processed audio. Sent audio that was not processed does not count.
 */
export const cpuPerStreamSecond = (slice: Slice): number | undefined =>
  slice.cpuMs === undefined || slice.vadWindows === 0 ? undefined : slice.cpuMs / streamSeconds(slice);

/** Returns how many CPU cores the generator used on average. */
const generatorCores = ({ sent, seconds }: Slice): number => sent.cpuMs / (seconds * 1000);

/** Returns whether the load generator fell behind. Its numbers then do not describe the server. */
export const isGeneratorBound = (slice: Slice): boolean =>
  (countedQuantile(slice.sent.lateness, 0.99) ?? 0) > latestGenerator ||
  generatorCores(slice) > busiestGenerator;

const median = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : quantile(values, 0.5);

/** Removes fields without a value, and rounds all others to the measured precision. */
const filled = (row: Readonly<Record<string, unknown>>): Partial<Row> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name,
        typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value,
      ]),
  );

const memoryFields = (slices: readonly Slice[], baselineKb: number | undefined): Partial<Row> => {
  const held = slices.filter(({ memory, open }) => memory !== undefined && open > 0);
  const perStream = (slice: Slice, without: number): number =>
    (slice.memory!.rssKb - (baselineKb ?? 0) - without) / slice.open;
  return {
    rss_kb: median(held.map(({ memory }) => memory!.rssKb)),
    ...(baselineKb === undefined
      ? {}
      : {
          rss_kb_per_stream: median(held.map((slice) => perStream(slice, slice.speechBufferBytes / 1024))),
          rss_with_speech_kb_per_stream: median(held.map((slice) => perStream(slice, 0))),
        }),
  };
};

/**
 * Returns the costs of a load, computed from its slices.
 * @param baselineKb resident memory of the server without streams. Without this value, memory per stream is omitted.
 */
export const loadFields = (slices: readonly Slice[], baselineKb: number | undefined): Partial<Row> => {
  const whole = joinSlices(slices);
  const { sent, frameToVad } = whole;
  const costs = slices.flatMap((slice) => cpuPerStreamSecond(slice) ?? []);
  const work = streamSeconds(whole);
  return filled({
    cpu_ms_per_stream_s: cpuPerStreamSecond(whole),
    cpu_ms_per_stream_s_spread: costs.length > 1 ? spread(costs) : undefined,
    others_cpu_ms_per_stream_s:
      whole.othersCpuMs === undefined || work === 0 ? undefined : whole.othersCpuMs / work,
    ...memoryFields(slices, baselineKb),
    p50_frame_to_vad_ms: quantileOf(frameToVad, 0.5),
    p90_frame_to_vad_ms: quantileOf(frameToVad, 0.9),
    p99_frame_to_vad_ms: quantileOf(frameToVad, 0.99),
    p99_9_frame_to_vad_ms: quantileOf(frameToVad, 0.999),
    max_frame_to_vad_ms: quantileOf(frameToVad, 1),
    p50_segment_lag_ms: countedQuantile(sent.segmentLag, 0.5),
    p90_segment_lag_ms: countedQuantile(sent.segmentLag, 0.9),
    p99_segment_lag_ms: countedQuantile(sent.segmentLag, 0.99),
    p99_9_segment_lag_ms: countedQuantile(sent.segmentLag, 0.999),
    max_segment_lag_ms: countedQuantile(sent.segmentLag, 1),
    p50_lateness_ms: countedQuantile(sent.lateness, 0.5),
    p99_lateness_ms: countedQuantile(sent.lateness, 0.99),
    max_lateness_ms: countedQuantile(sent.lateness, 1),
    generator_cores: generatorCores(whole),
    p50_connect_ms: countedQuantile(sent.connectTime, 0.5),
    p99_connect_ms: countedQuantile(sent.connectTime, 0.99),
    frames_per_s: whole.told ? whole.framesDecoded / whole.seconds : undefined,
    dropped: whole.told ? whole.dropped : undefined,
    errors: countOf(sent.errors),
    errors_by_kind: Object.keys(sent.errors).length === 0 ? undefined : sent.errors,
    frames_sent: sent.framesSent,
    frames_decoded: whole.told ? whole.framesDecoded : undefined,
    streams_held: whole.open,
    seconds: whole.seconds,
    generator_bound: isGeneratorBound(whole) ? true : undefined,
  });
};

export interface ServiceLevel {
  /** Maximum 99th percentile of the time from a frame's arrival to the detector's decision, in ms. */
  readonly frameToVadMs: number;
  /** Whether the load itself ends streams or sends audio that cannot be decoded. */
  readonly disturbed: boolean;
}

/**
 * Minimum share of the sent audio that the detector must have processed when a test ends. In a disturbed load some
 * audio cannot be decoded, so its minimum is lower.
 */
const leastDone = 0.99;
const leastDoneDisturbed = 0.8;
/**
 * Seconds of audio that may be missing. Server and generator are read at different moments, and some audio is on its
 * way between them.
 */
const readingSkew = 0.1;

/** Describes lost streams, dropped frames and errors; undefined if there are none. */
export const lost = (slice: Slice, { disturbed }: ServiceLevel): string | undefined => {
  if (!disturbed && slice.open < slice.wanted) return `${slice.open} of ${slice.wanted} streams held`;
  if (slice.dropped > 0) return `${slice.dropped} frames dropped`;
  const errors = countWords(slice.sent.errors);
  return disturbed || errors === '' ? undefined : `errors: ${errors}`;
};

/** Names the limits of the service level that a load exceeded; undefined if it exceeded none. */
export const beyond = (slice: Slice, level: ServiceLevel): string | undefined => {
  const gone = lost(slice, level);
  if (gone !== undefined) return gone;
  // Windows are compared, because the engine updates its count of frames only every 0.6 s.
  const done = (slice.vadWindows * windowMs) / Math.max(1, slice.sent.audioMs);
  if (done < (level.disturbed ? leastDoneDisturbed : leastDone - readingSkew / slice.seconds)) {
    return `${(done * 100).toFixed(1)} % of the audio decoded`;
  }
  const p99 = quantileOf(slice.frameToVad, 0.99);
  if (p99 === undefined) return 'no window was decided';
  return p99 > level.frameToVadMs ? `p99 ${p99.toFixed(0)} ms` : undefined;
};

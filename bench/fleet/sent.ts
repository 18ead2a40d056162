import { mergeCounted } from './counted.js';
import type { GeneratorSnapshot } from './generator.js';

/** Work of the load generators in a time span. Numbers of events are sums; states are the last values. */
export type Sent = Pick<
  GeneratorSnapshot,
  | 'framesSent'
  | 'bytesSent'
  | 'audioMs'
  | 'framesBlocked'
  | 'connects'
  | 'reconnects'
  | 'segmentsReceived'
  | 'errors'
  | 'lateness'
  | 'segmentLag'
  | 'connectTime'
  | 'cpuMs'
>;

export const addCounts = (
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> => {
  const sum: Record<string, number> = { ...a };
  for (const [kind, count] of Object.entries(b)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
};

/** Sums up the snapshots of a generator. */
export const sumOf = (parts: readonly Sent[]): Sent => {
  const total = (pick: (part: Sent) => number): number => parts.reduce((sum, part) => sum + pick(part), 0);
  return {
    framesSent: total((part) => part.framesSent),
    bytesSent: total((part) => part.bytesSent),
    audioMs: total((part) => part.audioMs),
    framesBlocked: total((part) => part.framesBlocked),
    connects: total((part) => part.connects),
    reconnects: total((part) => part.reconnects),
    segmentsReceived: total((part) => part.segmentsReceived),
    errors: parts.reduce<Record<string, number>>((sum, { errors }) => addCounts(sum, errors), {}),
    lateness: mergeCounted(parts.map(({ lateness }) => lateness)),
    segmentLag: mergeCounted(parts.map(({ segmentLag }) => segmentLag)),
    connectTime: mergeCounted(parts.map(({ connectTime }) => connectTime)),
    cpuMs: total((part) => part.cpuMs),
  };
};

/** Returns the total of the counts of all kinds. */
export const countOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/**
 * Returns counts by kind as text: `3 eof, 1 http_503`; empty if all are zero.
 * @param show formats a number.
 */
export const countWords = (
  counts: Readonly<Record<string, number>>,
  show: (count: number) => string = String,
): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${show(count)} ${kind}`)
    .join(', ');

import { z } from 'zod';

export const suiteNames = ['codec', 'resample', 'vad', 'ring', 'cosine', 'encoder', 'turn', 'front'] as const;
export type SuiteName = (typeof suiteNames)[number];

const cost = z.number().nonnegative();

/** One row: who, under which conditions, and what a unit of work costs in CPU time. */
const resultSchema = z.strictObject({
  suite: z.enum(suiteNames),
  contender: z.string(),
  version: z.string().optional(),
  isa: z.string().optional(),
  /** Windows, frames or vectors of one call. */
  batch: z.number().int().positive().optional(),
  codec: z.string().optional(),
  /** Hz */
  rate: z.number().int().positive().optional(),
  channels: z.number().int().positive().optional(),
  frame_ms: z.number().positive().optional(),
  mode: z.string().optional(),
  streams: z.number().int().positive().optional(),
  us_per_window: cost.optional(),
  ns_per_frame: cost.optional(),
  /** Of `ns_per_frame`, what the writing thread takes; wall clock. */
  producer_ns_per_frame: cost.optional(),
  us_per_call: cost.optional(),
  cpu_ms_per_stream_s: cost.optional(),
  /** Wall clock. */
  frames_per_s: cost.optional(),
  heap_bytes_per_frame: z.number().optional(),
  bytes_per_stream: cost.optional(),
  /** Growth of the process, speech that waits for its end included. */
  resident_bytes_per_stream: cost.optional(),
  /** Interquartile range, in the unit of the cost. */
  spread: cost,
  /** Median of the cost divided by that of `against` in the same round. */
  ratio: z.number().positive().optional(),
  against: z.string().optional(),
  /** Whether the ratio lies beyond what the same contender differs from itself by. */
  beyond_noise: z.boolean().optional(),
});
export type Result = z.infer<typeof resultSchema>;

export const reportSchema = z.strictObject({
  machine: z.strictObject({
    cpu: z.string(),
    cores: z.number().int().positive(),
    flags: z.array(z.string()),
    system: z.string(),
    node: z.string(),
    /** Load average when the run began: neighbours cost accuracy. */
    load: z.number(),
    versions: z.record(z.string(), z.string()),
  }),
  /** Empty outside a checkout; ends in `+` where the checkout has changes. */
  commit: z.string(),
  /** What each cost is: CPU time, not wall time. */
  clock: z.literal('cpu'),
  results: z.array(resultSchema),
  self_noise: z.array(
    z.strictObject({ suite: z.enum(suiteNames), of: z.string(), ratio: z.number(), spread: z.number() }),
  ),
  /** What was not measured here, and why. */
  skipped: z.array(z.strictObject({ suite: z.enum(suiteNames), what: z.string(), why: z.string() })),
});
export type Report = z.infer<typeof reportSchema>;
export type SelfNoiseRow = Report['self_noise'][number];
export type Skip = Report['skipped'][number];

/** What one suite found. */
export interface SuiteOutcome {
  readonly results: readonly Result[];
  readonly selfNoise: readonly SelfNoiseRow[];
  readonly skipped: readonly Skip[];
  /** Versions of what took part. */
  readonly versions: Readonly<Record<string, string>>;
}

const three = (value: number): string =>
  value >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));

const shown = (key: string, value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) || key === 'rate' ? String(value) : three(value);
};

/** A plain table of one suite, columns only where a row has something to say. */
export const table = (results: readonly Result[]): string => {
  const columns = Object.keys(resultSchema.shape).filter(
    (key) => key !== 'suite' && results.some((result) => key in result),
  ) as (keyof Result)[];
  const lines = [
    columns as readonly string[],
    ...results.map((result) =>
      columns.map((key) => (result[key] === undefined ? '' : shown(key, result[key]))),
    ),
  ];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const numeric = columns.map((key) => results.some((result) => typeof result[key] === 'number'));
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          numeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

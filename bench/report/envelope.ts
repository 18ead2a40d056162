import { z } from 'zod';
import { type CostName, type Field, type FieldName, fields } from './fields.js';

interface Values {
  readonly text: string;
  readonly number: number;
  readonly flag: boolean;
  readonly counts: Readonly<Record<string, number>>;
}

/** One row: who, under which conditions, and what a unit of work cost. What each field means: `fields.ts`. */
export type Row = { suite: string; contender: string } & {
  [Name in Exclude<FieldName, 'suite' | 'contender'>]?: Values[(typeof fields)[Name]['type']];
} & { [Name in CostName as `${Name}_spread`]?: number };

const number = z.number();
const kinds = {
  text: z.string(),
  number,
  flag: z.boolean(),
  counts: z.record(z.string(), z.number().int().nonnegative()),
};

const shape: Record<string, z.ZodType> = {};
for (const [name, field] of Object.entries<Field>(fields)) {
  shape[name] = kinds[field.type].optional();
  if (field.kind === 'cost') shape[`${name}_spread`] = number.nonnegative().optional();
}
const label = z.string().min(1);
shape.suite = label;
shape.contender = label;

const unknownFields = (keys: readonly string[]): string =>
  `no field is called ${keys.map((key) => `"${key}"`).join(', ')}; fields stand in bench/report/fields.ts`;

/** Accepts the fields of `fields.ts` and no other. */
export const rowSchema = z
  .strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownFields(issue.keys) : undefined),
  })
  .transform((row) => row as Row);

const point = z.tuple([number, number]);

export const seriesSchema = z.strictObject({
  suite: label,
  contender: label,
  /** What the values are, as a field of a row is called where there is one: `p99_frame_to_vad_ms`. */
  name: label,
  unit: z.string(),
  x: z.enum(['time_s', 'streams']),
  /** x and value, x rising. */
  points: z.array(point),
  /** A limit the values are held against: the service level. */
  level: number.optional(),
  /** Tells series of one contender apart: `speech, 70%`. */
  label: z.string().optional(),
});
export type Series = z.infer<typeof seriesSchema>;

export const machineSchema = z.strictObject({
  cpu: z.string(),
  cores: z.number().int().positive(),
  flags: z.array(z.string()),
  system: z.string(),
  node: z.string(),
  /** Load average when the run began: neighbours cost accuracy. */
  load: number,
  versions: z.record(z.string(), z.string()),
});
export type Machine = z.infer<typeof machineSchema>;

export const selfNoiseSchema = z.strictObject({
  suite: label,
  /** What was measured twice. */
  of: z.string(),
  /** Median of the paired ratios of the two. */
  ratio: number.positive(),
  /** Interquartile range of these ratios. */
  spread: number.nonnegative(),
  /** Whose noise, and in which cost; absent: any of the suite. */
  contender: z.string().optional(),
  cost: z.string().optional(),
});
export type SelfNoiseRow = z.infer<typeof selfNoiseSchema>;

/** What was not measured here, and why. */
export const skipSchema = z.strictObject({ suite: label, what: z.string(), why: z.string() });
export type Skip = z.infer<typeof skipSchema>;

const settingsSchema = z.record(z.string(), z.union([z.string(), number, z.boolean()]));
export type Settings = z.infer<typeof settingsSchema>;

/** What every suite writes. */
export const reportSchema = z.strictObject({
  machine: machineSchema,
  /** Empty outside a checkout; ends in `+` where the checkout has changes. */
  commit: z.string(),
  /** When the run began, ISO 8601. */
  date: z.string().optional(),
  /** The arguments of the command. */
  command: z.string().optional(),
  /** What costs of time are where their field does not say. */
  clock: z.enum(['cpu', 'wall']),
  /** What decides the results and is no field of theirs: `stt`, `rate_limit_boost`. */
  settings: settingsSchema.optional(),
  results: z.array(rowSchema),
  self_noise: z.array(selfNoiseSchema),
  skipped: z.array(skipSchema),
  series: z.array(seriesSchema).optional(),
});
export type Report = z.infer<typeof reportSchema>;

/** What one suite found. */
export interface SuiteOutcome {
  readonly results: readonly Row[];
  readonly selfNoise: readonly SelfNoiseRow[];
  readonly skipped: readonly Skip[];
  /** Versions of what took part. */
  readonly versions: Readonly<Record<string, string>>;
  readonly series?: readonly Series[];
}

/**
 * Checks what was read from a file.
 * @throws Error that names the first thing that is wrong and where.
 */
export const parseReport = (value: unknown, source = 'report'): Report => {
  const parsed = reportSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.');
  throw new Error(`${source}: ${where ? `${where}: ` : ''}${issue?.message}`);
};

import { z } from 'zod';
import { type CostName, type Field, type FieldName, fields } from './fields.js';

interface Values {
  readonly text: string;
  readonly number: number;
  readonly flag: boolean;
  readonly counts: Readonly<Record<string, number>>;
}

/** One row: contender, conditions, and the cost of one unit of work. `fields.ts` explains each field. */
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

/** Accepts only the fields of `fields.ts`. */
export const rowSchema = z
  .strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownFields(issue.keys) : undefined),
  })
  .transform((row) => row as Row);

const point = z.tuple([number, number]);

export const seriesSchema = z.strictObject({
  suite: label,
  contender: label,
  /**
   * Name of the values. If rows have a field with these values, it is the name of this field: `p99_frame_to_vad_ms`.
   */
  name: label,
  unit: z.string(),
  x: z.enum(['time_s', 'streams']),
  /** Pairs of x and value, in the order of x. */
  points: z.array(point),
  /** A limit that the values should not exceed, such as a service level. */
  level: number.optional(),
  /** Label that distinguishes several series of one contender: `speech, 70%`. */
  label: z.string().optional(),
});
export type Series = z.infer<typeof seriesSchema>;

export const machineSchema = z.strictObject({
  cpu: z.string(),
  cores: z.number().int().positive(),
  flags: z.array(z.string()),
  system: z.string(),
  node: z.string(),
  /** Load average of the machine when the run began. A high load average means inaccurate results. */
  load: number,
  versions: z.record(z.string(), z.string()),
});
export type Machine = z.infer<typeof machineSchema>;

export const selfNoiseSchema = z.strictObject({
  suite: label,
  /** Name of the contender that was measured twice in each round. */
  of: z.string(),
  /** Ratio of its two results in a round; median over the rounds. */
  ratio: number.positive(),
  /** Interquartile range of this ratio. */
  spread: number.nonnegative(),
  /** Contender and cost to which this noise applies. Absent: it applies to every row of the suite. */
  contender: z.string().optional(),
  cost: z.string().optional(),
});
export type SelfNoiseRow = z.infer<typeof selfNoiseSchema>;

/** A measurement that was skipped on this machine, and the reason. */
export const skipSchema = z.strictObject({ suite: label, what: z.string(), why: z.string() });
export type Skip = z.infer<typeof skipSchema>;

const settingsSchema = z.record(z.string(), z.union([z.string(), number, z.boolean()]));
export type Settings = z.infer<typeof settingsSchema>;

/** The report format of every suite. */
export const reportSchema = z.strictObject({
  machine: machineSchema,
  /** Commit of the checkout; empty outside a checkout. The hash ends in `+` if files differ from the commit. */
  commit: z.string(),
  /** Time at which the run began, in ISO 8601. */
  date: z.string().optional(),
  /** The arguments of the command. */
  command: z.string().optional(),
  /** Clock of all costs that are times. The comment of a field may name another clock. */
  clock: z.enum(['cpu', 'wall']),
  /** Settings that affect the results but are not fields of rows: `stt`, `rate_limit_boost`. */
  settings: settingsSchema.optional(),
  results: z.array(rowSchema),
  self_noise: z.array(selfNoiseSchema),
  skipped: z.array(skipSchema),
  series: z.array(seriesSchema).optional(),
});
export type Report = z.infer<typeof reportSchema>;

/** Results of one suite. */
export interface SuiteOutcome {
  readonly results: readonly Row[];
  readonly selfNoise: readonly SelfNoiseRow[];
  readonly skipped: readonly Skip[];
  /** Versions of all components that took part, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly series?: readonly Series[];
}

/**
 * Validates a report from a file.
 * @throws Error that names the first invalid field.
 */
export const parseReport = (value: unknown, source = 'report'): Report => {
  const parsed = reportSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.');
  throw new Error(`${source}: ${where ? `${where}: ` : ''}${issue?.message}`);
};

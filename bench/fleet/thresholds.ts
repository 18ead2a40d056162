import { fieldOf } from '../report/fields.js';
import type { Row } from '../report/index.js';

/** A condition that makes a run fail if it is met: `p99_frame_to_vad_ms>50`. */
export interface Threshold {
  readonly field: string;
  readonly operator: '>' | '>=' | '<' | '<=';
  readonly limit: number;
}

const form = /^\s*([a-z0-9_]+)\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)\s*$/;

const isBeyond: Readonly<Record<Threshold['operator'], (value: number, limit: number) => boolean>> = {
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
};

/**
 * Parses a condition.
 * @throws RangeError when the text is not a condition, or names a field that is not a number.
 */
export const parseThreshold = (text: string): Threshold => {
  const found = form.exec(text);
  if (!found) throw new RangeError(`"${text}" is no condition such as p99_frame_to_vad_ms>50`);
  const [, field, operator, limit] = found;
  if (fieldOf(field!)?.type !== 'number') throw new RangeError(`no number of a row is called "${field}"`);
  return { field: field!, operator: operator as Threshold['operator'], limit: Number(limit) };
};

const nameOf = ({ contender, codec, material, streams }: Row): string =>
  [contender, codec, material, streams === undefined ? undefined : `${streams} streams`]
    .filter((word) => word !== undefined)
    .join(', ');

/**
 * Returns a line for each condition that rows meet. If no row measured the field of a condition, the condition counts
 * as met. Missing data must not pass as success.
 */
export const failuresOf = (thresholds: readonly Threshold[], rows: readonly Row[]): string[] =>
  thresholds.flatMap(({ field, operator, limit }) => {
    const measured = rows.flatMap((row) => {
      const value = (row as Readonly<Record<string, unknown>>)[field];
      return typeof value === 'number' ? [{ row, value }] : [];
    });
    if (measured.length === 0) return [`${field} was not measured, so it cannot be held against ${limit}`];
    return measured
      .filter(({ value }) => isBeyond[operator](value, limit))
      .map(({ row, value }) => `${field} is ${value} (${operator} ${limit}): ${nameOf(row)}`);
  });

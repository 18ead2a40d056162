import { storableText } from '../../common/index.js';
import type { GoalRow } from '../../store/records/index.js';
import { type CreationOf, type GoalType, goalBounds, type goalRecord } from '../../wire/records/index.js';
import { invalid, optionalText } from '../rules/index.js';

/** The number that a goal measures. */
export interface Metric {
  readonly goal_type: GoalType;
  readonly target_value: number;
  readonly current_value: number;
  readonly min_value: number;
  readonly max_value: number;
  readonly unit: string | null;
}

/** Metric values of a request. Absent values are `undefined`. If a bound or the unit is null, its default applies. */
export type GivenMetric = Pick<CreationOf<typeof goalRecord>, keyof Metric>;

const finite = (field: string, value: number): number => {
  if (!Number.isFinite(value)) throw invalid(`${field} must be a finite number`, `body.${field}`);
  return value;
};

/** Returns the stored metric of a goal; null if the goal has none. */
export const metricOf = (row: GoalRow): Metric | null =>
  row.goal_type === null
    ? null
    : {
        goal_type: row.goal_type,
        target_value: row.target_value!,
        current_value: row.current_value!,
        min_value: row.min_value!,
        max_value: row.max_value!,
        unit: row.unit,
      };

/**
 * Returns the metric after a change. If the goal had no metric, the first given value creates one. The default target
 * is 1 for a yes-or-no goal, else the maximum value. The current value may exceed the bounds.
 * @throws CochleaError `validation_failed` if the minimum is above the maximum.
 */
export const changedMetric = (before: Metric | null, given: GivenMetric): Metric | null => {
  const values = [given.goal_type, given.target_value, given.current_value, given.min_value, given.max_value];
  const named = [...values, given.unit].some((value) => value !== undefined && value !== null);
  if (before === null && !named) return null;
  const goal_type = given.goal_type ?? before?.goal_type ?? 'scale';
  const usual = goal_type === 'boolean' ? 1 : 10;
  const bound = (value: number | null | undefined, now: number | undefined): number | undefined =>
    value === undefined ? now : (value ?? undefined);
  const target_value = finite(
    'target_value',
    given.target_value ?? before?.target_value ?? given.max_value ?? usual,
  );
  const min_value = finite('min_value', bound(given.min_value, before?.min_value) ?? 0);
  const max_value = finite(
    'max_value',
    bound(given.max_value, before?.max_value) ?? Math.max(target_value, min_value, usual),
  );
  if (min_value > max_value) throw invalid('min_value must not be above max_value', 'body.min_value');
  return {
    goal_type,
    target_value,
    current_value: finite('current_value', given.current_value ?? before?.current_value ?? 0),
    min_value,
    max_value,
    unit:
      given.unit === undefined
        ? (before?.unit ?? null)
        : optionalText('unit', given.unit && storableText(given.unit), goalBounds.unit),
  };
};

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { isoUtc } from '../../store/record/index.js';
import {
  changeGoal,
  type GoalRow,
  type GoalValues,
  goalsById,
  insertGoal,
  listGoalRows,
  lockGoal,
  lockGoals,
  type NewGoalRow,
  pauseOldestGoals,
  progressSince,
  readGoal,
  recordProgress,
  removeGoal,
} from '../../store/records/index.js';
import { type GoalSource, type GoalStatus, goalBounds } from '../../wire/records/index.js';
import {
  createOnce,
  cursorsOf,
  invalid,
  localDay,
  optionalText,
  type Paged,
  type PagedInParts,
  type PageRequest,
  plainText,
  present,
  requiredText,
  requireSome,
  time,
} from '../rules/index.js';
import { changedMetric, type GivenMetric, metricOf } from './goal-metric.js';
import { timeZoneOf } from './user-settings.js';

/** Values of a goal that a caller gives, beside its metric. Absent ones are `undefined`. */
interface GivenGoal extends GivenMetric {
  readonly desiredOutcome?: string | null | undefined;
  readonly whyItMatters?: string | null | undefined;
  readonly successCriteria?: readonly string[] | undefined;
  readonly horizonAt?: Date | null | undefined;
  readonly status?: GoalStatus | undefined;
  readonly focusRank?: number | null | undefined;
}

export interface NewGoal extends GivenGoal {
  readonly title: string;
  readonly source?: GoalSource | undefined;
}

/** Absent values are not changed; null clears those that may be absent. */
export interface GoalPatch extends GivenGoal {
  readonly title?: string | undefined;
}

const cursors = {
  active: cursorsOf('goals', z.tuple([time, plainText])),
  all: cursorsOf('all_goals', z.tuple([time, plainText])),
};
const mostGoals = fixedLimits.goalsPerUser.value;
const oneDay = 86_400_000;

const isOpen = (status: GoalStatus): boolean => status === 'background' || status === 'focused';

/** A goal as both generations of clients read it: with its metric as an object, and as single values. */
const view = (row: GoalRow) => {
  const metric = metricOf(row);
  return {
    id: row.id,
    goal_id: row.id,
    title: row.title,
    desired_outcome: row.desired_outcome,
    why_it_matters: row.why_it_matters,
    success_criteria: row.success_criteria,
    horizon_at: row.horizon_at && isoUtc(row.horizon_at),
    status: row.status,
    focus_rank: row.focus_rank,
    source: row.source,
    metric: metric && {
      type: metric.goal_type,
      current: metric.current_value,
      target: metric.target_value,
      min: metric.min_value,
      max: metric.max_value,
      unit: metric.unit,
    },
    goal_type: metric?.goal_type ?? ('scale' as const),
    target_value: metric?.target_value ?? 0,
    current_value: metric?.current_value ?? 0,
    min_value: metric?.min_value ?? 0,
    max_value: metric?.max_value ?? 10,
    unit: metric?.unit ?? null,
    is_active: row.is_active,
    created_at: isoUtc(row.created_at),
    updated_at: isoUtc(row.updated_at),
    ended_at: row.ended_at && isoUtc(row.ended_at),
  };
};

export type Goal = ReturnType<typeof view>;

const criteriaOf = (given: readonly string[]): string[] => {
  if (given.length > goalBounds.criteria) {
    throw invalid(
      `success_criteria should have at most ${goalBounds.criteria} items`,
      'body.success_criteria',
    );
  }
  return given.map((text) => requiredText('success_criteria', text, goalBounds.criterion));
};

/** The columns that a request names, beside those of the metric and of the status. */
const namedColumns = (given: GivenGoal) =>
  present({
    why_it_matters:
      given.whyItMatters === undefined
        ? undefined
        : optionalText('why_it_matters', given.whyItMatters, goalBounds.text),
    success_criteria: given.successCriteria === undefined ? undefined : criteriaOf(given.successCriteria),
    horizon_at: given.horizonAt,
    focus_rank: given.focusRank,
  });

const newRow = (given: NewGoal, now: Date): NewGoalRow => {
  const title = requiredText('title', given.title, goalBounds.title);
  const status = given.status ?? 'background';
  return {
    id: `goal_${randomBytes(6).toString('hex')}`,
    title,
    desired_outcome: optionalText('desired_outcome', given.desiredOutcome, goalBounds.text) ?? title,
    why_it_matters: null,
    success_criteria: [],
    horizon_at: null,
    status,
    focus_rank: null,
    source: given.source ?? 'user',
    goal_type: null,
    target_value: null,
    current_value: null,
    min_value: null,
    max_value: null,
    unit: null,
    ...changedMetric(null, given),
    ...namedColumns(given),
    created_at: now,
    updated_at: now,
    ended_at: isOpen(status) ? null : now,
  };
};

/**
 * Creates a goal. Of more than three active goals the oldest are paused.
 * @param key repeats with the same key create nothing more.
 * @throws CochleaError `validation_failed`, `records_full`, `idempotency_conflict`, `idempotency_gone`
 */
export const createGoal = async (
  sql: Sql,
  uid: string,
  given: NewGoal,
  key?: string | null,
): Promise<Goal> => {
  const row = newRow(given, new Date());
  const [created] = await createOnce<GoalRow>(sql, {
    uid,
    operation: 'goals',
    key,
    given,
    make: async (transaction) => {
      await lockGoals(transaction, uid);
      if (isOpen(row.status)) await pauseOldestGoals(transaction, uid, goalBounds.active - 1, row.id);
      const goal = await insertGoal(transaction, uid, row, mostGoals);
      if (!goal) throw new CochleaError('records_full', { kind: 'goals', limit: mostGoals });
      return [goal];
    },
    read: async (ids) => {
      const goal = await readGoal(sql, uid, ids[0]!);
      return goal ? [goal] : [];
    },
  });
  return view(created!);
};

export interface GoalQuery extends PageRequest {
  readonly inactive: boolean;
}

/** A part of a user's goals: active ones, oldest first; with inactive ones, newest first. */
export const listGoals = async (sql: Sql, uid: string, query: GoalQuery): Promise<Paged<Goal>> => {
  const list = query.inactive ? cursors.all : cursors.active;
  const part = await listGoalRows(sql, uid, { ...list.page(query), inactive: query.inactive });
  return list.paged(part, view);
};

/** Goals that an answer may have whatever they say: with more of them their bytes are counted. */
const unmeasured = 10;

/** `listGoals`, of which what is long is read in parts. */
export const listGoalsInParts = async (
  sql: Sql,
  uid: string,
  query: GoalQuery,
): Promise<PagedInParts<Goal>> => {
  const list = query.inactive ? cursors.all : cursors.active;
  const page = list.page(query);
  const measured = page.limit > unmeasured;
  const part = await listGoalRows(sql, uid, { ...page, inactive: query.inactive, measured });
  return list.pagedInParts(part, view, (ids) => goalsById(sql, uid, ids));
};

const notFound = (): CochleaError => new CochleaError('record_not_found', { kind: 'Goal' });

/** One of a user's goals, also an inactive one. @throws CochleaError `record_not_found` */
export const getGoal = async (sql: Sql, uid: string, id: string): Promise<Goal> => {
  const row = await readGoal(sql, uid, id);
  if (!row) throw notFound();
  return view(row);
};

const lockedForChange = async (sql: TransactionSql, uid: string, id: string): Promise<GoalRow> => {
  const row = await lockGoal(sql, uid, id);
  if (!row) throw notFound();
  return row;
};

const statusChange = (row: GoalRow, status: GoalStatus | undefined, now: Date): Partial<GoalValues> =>
  status === undefined ? {} : { status, ended_at: isOpen(status) ? null : (row.ended_at ?? now) };

/**
 * Changes a goal. One that becomes active again counts as active, so the oldest of the others may be paused.
 * @throws CochleaError `validation_failed`, `record_not_found`
 */
export const updateGoal = async (sql: Sql, uid: string, id: string, patch: GoalPatch): Promise<Goal> => {
  requireSome(patch, 'title, target_value, current_value, min_value, max_value, unit, ...');
  const title = patch.title === undefined ? undefined : requiredText('title', patch.title, goalBounds.title);
  const { desiredOutcome } = patch;
  const desired =
    desiredOutcome === undefined
      ? undefined
      : requiredText('desired_outcome', desiredOutcome ?? '', goalBounds.text);
  const columns = { ...present({ title, desired_outcome: desired }), ...namedColumns(patch) };
  const row = (await sql.begin(async (transaction) => {
    if (patch.status !== undefined) await lockGoals(transaction, uid);
    const before = await lockedForChange(transaction, uid, id);
    const now = new Date();
    if (patch.status !== undefined && isOpen(patch.status)) {
      await pauseOldestGoals(transaction, uid, goalBounds.active - 1, id);
    }
    return changeGoal(transaction, id, {
      ...columns,
      ...changedMetric(metricOf(before), patch),
      ...statusChange(before, patch.status, now),
      updated_at: now,
    });
  })) as GoalRow;
  return view(row);
};

const recordValue = async (
  transaction: TransactionSql,
  uid: string,
  before: GoalRow,
  value: number,
): Promise<GoalRow> => {
  const now = new Date();
  const metric = changedMetric(metricOf(before), { currentValue: value });
  const day = localDay(now, await timeZoneOf(transaction, uid));
  await recordProgress(transaction, before.id, { day, value, recorded_at: now });
  return changeGoal(transaction, before.id, { ...metric, updated_at: now });
};

/** Sets the current value of a goal and records it as the value of this day in the user's time zone. @throws CochleaError `record_not_found` */
export const updateGoalProgress = async (sql: Sql, uid: string, id: string, value: number): Promise<Goal> => {
  const row = (await sql.begin(async (transaction) =>
    recordValue(transaction, uid, await lockedForChange(transaction, uid, id), value),
  )) as GoalRow;
  return view(row);
};

/** How far a goal was said to have come: to a total, and by an amount beyond it. */
export interface GoalAdvance {
  /** null: what was reached before counts. */
  readonly total: number | null;
  readonly added: number;
}

/**
 * Advances a goal inside a transaction. What is added counts on top of the value of this moment, so that two conversations that are
 * processed together both count. A goal that is gone or not active any more is left alone, and so is one that the value would lead
 * beyond its bounds: that was not said of this goal.
 */
export const advanceGoal = async (
  sql: TransactionSql,
  uid: string,
  id: string,
  { total, added }: GoalAdvance,
): Promise<void> => {
  const goal = await lockGoal(sql, uid, id);
  if (!goal?.is_active) return;
  const value = (total ?? goal.current_value ?? 0) + added;
  if (value < (goal.min_value ?? 0) || value > Math.max(goal.max_value ?? 0, goal.target_value ?? 0)) return;
  await recordValue(sql, uid, goal, value);
};

/**
 * The progress of a goal in the last days of the user's time zone, today included, newest first, one entry for each day that has one.
 * @throws CochleaError `record_not_found`
 */
export const goalHistory = async (sql: Sql, uid: string, id: string, days: number) => {
  await getGoal(sql, uid, id);
  const today = localDay(new Date(), await timeZoneOf(sql, uid));
  const since = new Date(Date.parse(today) - (days - 1) * oneDay).toISOString().slice(0, 10);
  const rows = await progressSince(sql, id, since);
  return rows.map(({ day, value, recorded_at }) => ({ date: day, value, recorded_at: isoUtc(recorded_at) }));
};

/** Deletes a goal with its history. @throws CochleaError `record_not_found` */
export const deleteGoal = async (sql: Sql, uid: string, id: string): Promise<void> => {
  if (!(await removeGoal(sql, uid, id))) throw notFound();
};

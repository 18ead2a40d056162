import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { localDay } from '../../common/local-time/index.js';
import { fixedLimits } from '../../config/limits/index.js';
import { CochleaError } from '../../errors/index.js';
import type { Sql, TransactionSql } from '../../store/client/index.js';
import { isoUtc } from '../../store/record/index.js';
import {
  type GoalRow,
  goalRows,
  insertGoal,
  listGoalRows,
  lockGoals,
  type NewGoalRow,
  pauseOldestGoals,
  progressSince,
  recordProgress,
  removeGoal,
} from '../../store/records/index.js';
import {
  type ChangeOf,
  type CreationOf,
  changesOf,
  type GoalStatus,
  goalBounds,
  goalRecord,
  type ShownOf,
} from '../../wire/records/index.js';
import {
  createOnce,
  cursorsOf,
  earlierNames,
  type Paged,
  type PagedInParts,
  type PageRequest,
  plainText,
  requireSome,
  time,
} from '../rules/index.js';
import { changedMetric, metricOf } from './goal-metric.js';
import { refusalsOf, shownForm, valuesOf } from './record-values.js';
import { timeZoneOf } from './user-settings.js';

export type NewGoal = CreationOf<typeof goalRecord>;
/** Changes to a goal. Absent values are not changed. null clears optional values. */
export type GoalPatch = ChangeOf<typeof goalRecord>;

const cursors = {
  active: cursorsOf('goals', z.tuple([time, plainText])),
  all: cursorsOf('all_goals', z.tuple([time, plainText])),
};
const mostGoals = fixedLimits.goalsPerUser.value;
const oneDay = 86_400_000;

const isOpen = (status: GoalStatus): boolean => status === 'background' || status === 'focused';

/** Returns the metric of a goal as an object. */
const shownMetric = (row: GoalRow) => {
  const metric = metricOf(row);
  return (
    metric && {
      type: metric.goal_type,
      current: metric.current_value,
      target: metric.target_value,
      min: metric.min_value,
      max: metric.max_value,
      unit: metric.unit,
    }
  );
};

/** A goal for old and new clients: the metric is an object, and its values are also separate fields. */
export type Goal = Omit<ShownOf<typeof goalRecord>, 'metric'> & {
  readonly metric: ReturnType<typeof shownMetric>;
};

const made = { goal_id: ({ id }: GoalRow) => id, metric: shownMetric };
const view = shownForm(goalRecord, 'developer', made) as (row: GoalRow) => Goal;
const toolView = shownForm(goalRecord, 'tools', made) as (row: GoalRow) => Goal;

const values = valuesOf(goalRecord);
const { found, notFound } = refusalsOf(goalRecord);

const newRow = (given: NewGoal, now: Date): NewGoalRow => {
  const created = values.created(given);
  return {
    ...created,
    ...changedMetric(null, given),
    id: `goal_${randomBytes(6).toString('hex')}`,
    desired_outcome: created.desired_outcome ?? created.title,
    created_at: now,
    updated_at: now,
    ended_at: isOpen(created.status) ? null : now,
  };
};

/**
 * Creates a goal. At most three goals stay active; older goals are paused.
 * @param key a repetition with the same key creates nothing more.
 * @throws CochleaError `validation_failed`, `records_full`, `idempotency_conflict`, `idempotency_gone`
 */
export const createGoal = async (
  sql: Sql,
  uid: string,
  given: NewGoal,
  key?: string | null,
): Promise<Goal> => {
  const row = newRow(given, new Date());
  const { title, source, ...rest } = given;
  const [created] = await createOnce<GoalRow>(sql, {
    uid,
    operation: 'goals',
    key,
    given: earlierNames({ title, source, ...rest }),
    make: async (transaction) => {
      await lockGoals(transaction, uid);
      if (isOpen(row.status)) await pauseOldestGoals(transaction, uid, goalBounds.active - 1, row.id);
      const goal = await insertGoal(transaction, uid, row, mostGoals);
      if (!goal) throw new CochleaError('records_full', { kind: 'goals', limit: mostGoals });
      return [goal];
    },
    read: (ids) => goalRows.byIds(sql, uid, ids),
  });
  return view(created!);
};

export interface GoalQuery extends PageRequest {
  readonly inactive: boolean;
}

/**
 * Returns a page of a user's goals, for a tool. If only active goals are listed, the oldest comes first. If inactive
 * goals are included, the newest comes first.
 */
export const listGoals = async (sql: Sql, uid: string, query: GoalQuery): Promise<Paged<Goal>> => {
  const list = query.inactive ? cursors.all : cursors.active;
  const part = await listGoalRows(sql, uid, { ...list.page(query), inactive: query.inactive });
  return list.paged(part, toolView);
};

/** Number of goals that always fit into an answer. If a page has more, the bytes of its goals are counted. */
const unmeasured = 10;

/** Returns the page of `listGoals` for the developer API. A long page is read in parts. */
export const listGoalsInParts = async (
  sql: Sql,
  uid: string,
  query: GoalQuery,
): Promise<PagedInParts<Goal>> => {
  const list = query.inactive ? cursors.all : cursors.active;
  const page = list.page(query);
  const measured = page.limit > unmeasured;
  const part = await listGoalRows(sql, uid, { ...page, inactive: query.inactive, measured });
  return list.pagedInParts(part, view, (ids) => goalRows.byIds(sql, uid, ids));
};

/** Returns one of a user's goals, active or not. @throws CochleaError `record_not_found` */
export const getGoal = async (sql: Sql, uid: string, id: string): Promise<Goal> => {
  const [row] = await goalRows.byIds(sql, uid, [id]);
  return view(found(row));
};

const statusChange = (row: GoalRow, status: GoalStatus | undefined, now: Date): Partial<NewGoalRow> =>
  status === undefined ? {} : { status, ended_at: isOpen(status) ? null : (row.ended_at ?? now) };

/**
 * Changes a goal. If the change activates the goal and too many goals would be active, the oldest other goals are
 * paused.
 * @throws CochleaError `validation_failed`, `record_not_found`
 */
export const updateGoal = async (sql: Sql, uid: string, id: string, patch: GoalPatch): Promise<Goal> => {
  requireSome(patch, changesOf(goalRecord));
  const changes = values.changed(patch);
  const row = (await sql.begin(async (transaction) => {
    if (patch.status !== undefined) await lockGoals(transaction, uid);
    const before = found(await goalRows.lock(transaction, uid, id));
    const now = new Date();
    if (patch.status !== undefined && isOpen(patch.status)) {
      await pauseOldestGoals(transaction, uid, goalBounds.active - 1, id);
    }
    return goalRows.change(transaction, id, {
      ...changes,
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
  const metric = changedMetric(metricOf(before), { current_value: value });
  const day = localDay(now, await timeZoneOf(transaction, uid));
  await recordProgress(transaction, before.id, { day, value, recorded_at: now });
  return goalRows.change(transaction, before.id, { ...metric, updated_at: now });
};

/**
 * Sets the current value of a goal. Also stores it as the value of the present day in the user's time zone.
 * @throws CochleaError `record_not_found`
 */
export const updateGoalProgress = async (sql: Sql, uid: string, id: string, value: number): Promise<Goal> => {
  const row = (await sql.begin(async (transaction) =>
    recordValue(transaction, uid, found(await goalRows.lock(transaction, uid, id)), value),
  )) as GoalRow;
  return view(row);
};

/** Progress of a goal that a conversation mentioned. The new value is the total plus `added`. */
export interface GoalAdvance {
  /** The total that was stated; null: the stored value serves as the total. */
  readonly total: number | null;
  readonly added: number;
}

/**
 * Advances a goal inside a transaction. The database adds the amount to the goal's value, so the progress of every
 * conversation counts, even if several are processed at the same time. Skips a deleted or inactive goal. Also skips a
 * value beyond the goal's bounds, because the speaker probably meant another goal.
 */
export const advanceGoal = async (
  sql: TransactionSql,
  uid: string,
  id: string,
  { total, added }: GoalAdvance,
): Promise<void> => {
  const goal = await goalRows.lock(sql, uid, id);
  if (!goal?.is_active) return;
  const value = (total ?? goal.current_value ?? 0) + added;
  if (value < (goal.min_value ?? 0) || value > Math.max(goal.max_value ?? 0, goal.target_value ?? 0)) return;
  await recordValue(sql, uid, goal, value);
};

/**
 * Returns a goal's progress over the last days in the user's time zone, including today. Newest first, one entry per day with progress.
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

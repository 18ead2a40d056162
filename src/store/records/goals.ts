import { goalRecord, type NewRowOf, type RowOf } from '../../wire/records/index.js';
import {
  hasRows,
  type Listed,
  lockForUser,
  moment,
  type Page,
  type Position,
  type Sql,
  type TransactionSql,
} from '../client/index.js';
import { columnsOf, recordRows } from './record-rows.js';

export type NewGoalRow = NewRowOf<typeof goalRecord>;
export type GoalRow = RowOf<typeof goalRecord>;

/** Pattern of every goal id. Other texts match no goal and are not sent to PostgreSQL, which refuses some characters. */
const goalId = /^goal_[0-9a-f]{12}$/;

export const goalRows = recordRows(goalRecord, { known: (ids) => ids.filter((id) => goalId.test(id)) });
const { selected } = columnsOf(goalRecord);

/**
 * Serializes transactions that change which goals of a user are active. The lock does not block other rows of the user.
 */
export const lockGoals = (sql: TransactionSql, uid: string): Promise<void> => lockForUser(sql, 'goals', uid);

/**
 * Pauses the oldest active goals of a user until at most `most` goals are active besides `except`. Needs `lockGoals`.
 * @param except a goal that is not paused and not counted.
 */
export const pauseOldestGoals = async (
  sql: TransactionSql,
  uid: string,
  most: number,
  except: string,
): Promise<void> => {
  await sql`
    update goals set status = 'paused', ended_at = now(), updated_at = now()
    where id in (
      select id from goals where uid = ${uid} and is_active and id <> ${except}
      order by created_at desc, id desc offset ${most})`;
};

/**
 * Adds a goal. Needs `lockGoals`. The new goal always has the latest creation time of the user's goals. If a stored
 * goal has the same time or a later time, the new goal gets the millisecond after it. This happens when two requests
 * waited for the lock, or when the clock was set back.
 * @returns null when the user already has `most` goals.
 */
export const insertGoal = async (
  sql: TransactionSql,
  uid: string,
  goal: NewGoalRow,
  most: number,
): Promise<GoalRow | null> => {
  const [held] = await sql<{ count: number; newest: Date | null }[]>`
    select count(*)::integer as count, max(created_at) as newest from goals where uid = ${uid}`;
  if (held!.count >= most) return null;
  const earliest = (held!.newest?.getTime() ?? 0) + 1;
  const created = { ...goal, created_at: new Date(Math.max(goal.created_at.getTime(), earliest)), uid };
  const [row] = await sql<GoalRow[]>`
    insert into goals ${sql(created as never)} returning ${sql.unsafe(selected)}`;
  return row!;
};

export interface GoalFilter extends Page {
  /** Whether inactive goals are listed, too. */
  readonly inactive: boolean;
}

/** Reads a page of a user's goals: the active goals, oldest first, or all goals, newest first. */
export const listGoalRows = async (
  sql: Sql,
  uid: string,
  { inactive, after, limit, offset, measured }: GoalFilter,
): Promise<Listed<GoalRow>> => {
  const [created, id] = after ?? [];
  const at = after ? sql`(${moment(sql, created!)}, ${id!})` : sql``;
  const behind = inactive ? sql`and (created_at, id) < ${at}` : sql`and (created_at, id) > ${at}`;
  const order = inactive ? 'created_at desc, id desc' : 'created_at, id';
  const part = (columns: string) => sql<GoalRow[]>`
    select ${sql.unsafe(columns)} from goals
    where uid = ${uid} ${inactive ? sql`` : sql`and is_active`} ${after ? behind : sql``}
    order by ${sql.unsafe(order)} limit ${limit + 1} offset ${offset}`;
  const position = (row: GoalRow): Position => [row.created_at.toISOString(), row.id];
  return goalRows.part(sql, part, { order, limit, position, measured });
};

/** Deletes a user's goal and the history of its progress. @returns whether the goal existed */
export const removeGoal = async (sql: Sql, uid: string, id: string): Promise<boolean> =>
  goalId.test(id) &&
  (await hasRows(sql`delete from goals where id = ${id} and uid = ${uid} returning 1 as removed`));

export interface ProgressRow {
  readonly day: string;
  readonly value: number;
  readonly recorded_at: Date;
}

/** Records the progress of a day. A later value of the same day replaces it. */
export const recordProgress = async (
  sql: TransactionSql,
  goalId: string,
  { day, value, recorded_at }: ProgressRow,
): Promise<void> => {
  await sql`
    insert into goal_history (goal_id, day, value, recorded_at)
    values (${goalId}, ${day}::text::date, ${value}, ${recorded_at})
    on conflict (goal_id, day) do update set value = excluded.value, recorded_at = excluded.recorded_at`;
};

/** Reads the progress of a goal since a day, newest first. @param since YYYY-MM-DD, inclusive */
export const progressSince = (sql: Sql, goalId: string, since: string): Promise<ProgressRow[]> =>
  sql<ProgressRow[]>`
    select to_char(day, 'YYYY-MM-DD') as day, value, recorded_at from goal_history
    where goal_id = ${goalId} and day >= ${since}::text::date order by day desc`;

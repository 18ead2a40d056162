import { onceSteps, type StepName, type StepRun } from '../../wire/index.js';
import { announce, firstRow, preparedText, type Sql, type TransactionSql } from '../client/index.js';
import type { TurnsTaken } from './sweep.js';

type Executor = Sql | TransactionSql;

/** A processing step that a conversation needs. */
export interface WantedStep {
  readonly step: StepName;
  /** Whether the step runs again if it was done before. */
  readonly again: boolean;
}

/**
 * Requests steps of a conversation. Call it in the transaction with the change that requires these steps. Does nothing
 * if the user has no account, or if the account is being deleted.
 */
export const requestSteps = async (
  sql: Executor,
  uid: string,
  conversationId: string,
  steps: readonly WantedStep[],
): Promise<void> => {
  if (steps.length === 0) return;
  await sql`
    insert into steps (step, key, uid, conversation_id)
    select wanted.step, ${conversationId}::text, users.uid, ${conversationId}::uuid
    from jsonb_to_recordset(${sql.json(steps as never)}) as wanted (step text)
      join users on users.uid = ${uid} and users.deleting_at is null
    on conflict (step, key) do nothing`;
  const repeated = steps.filter(({ again }) => again).map(({ step }) => step);
  if (repeated.length > 0) {
    await sql`
      update steps set run = run + 1, state = 'waiting', attempts = 0, error = null, due_at = now(), ended_at = null
      where key = ${conversationId} and step = any(${repeated as string[]}) and state <> 'waiting'`;
    // An attempt that is already running has read the content before the change, so the step runs again after this
    // attempt.
    await sql`
      update steps set run = run + 1, attempts = 0, due_at = now()
      where key = ${conversationId} and step = any(${repeated as string[]}) and state = 'waiting' and attempts > 0`;
  }
  await announce(sql, 'conversation_finished', conversationId);
};

/** Checks whether no step in this list is waiting or running for a conversation. */
export const areStepsEnded = async (
  sql: Sql,
  conversationId: string,
  steps: readonly StepName[],
): Promise<boolean> => {
  const [row] = await sql<{ ended: boolean }[]>`
    select not exists (
      select from steps
      where conversation_id = ${conversationId} and step = any(${steps as string[]}) and state = 'waiting') as ended`;
  return row!.ended;
};

/** A day of a user that needs a summary when it is over. */
export interface WantedDay {
  readonly uid: string;
  /** YYYY-MM-DD in the user's time zone. */
  readonly day: string;
  readonly due: Date;
}

/** Requests the summary of a day. A day that has a summary gets a new summary. */
export const requestDay = async (sql: Executor, { uid, day, due }: WantedDay): Promise<void> => {
  await sql`
    insert into steps (step, key, uid, day, due_at)
    select 'daily_summary', ${`${uid}:${day}`}::text, users.uid, ${day}::text::date, ${due}
    from users where users.uid = ${uid} and users.deleting_at is null
    on conflict (step, key) do update set run = steps.run + 1, state = 'waiting', attempts = 0, error = null,
      ended_at = null, due_at = excluded.due_at
    where steps.state <> 'waiting' or steps.attempts > 0`;
};

/** How a step ended. */
export interface StepEnd {
  /** Name of the model or of the built-in rules that made the output; null if the step made none. */
  readonly generatedBy: string | null;
  /** Code of the error for which the step was given up; null when it succeeded. */
  readonly error: string | null;
}

/**
 * Records the end of a step that was not queued but ran as part of other work. Call it in the transaction of that work.
 */
export const recordStep = async (
  sql: Executor,
  uid: string,
  conversationId: string,
  step: StepName,
  { generatedBy, error }: StepEnd,
): Promise<void> => {
  const state = error === null ? 'done' : 'dead';
  await sql`
    insert into steps (step, key, uid, conversation_id, state, generated_by, error, ended_at)
    select ${step}::text, ${conversationId}::text, users.uid, ${conversationId}::uuid, ${state}::text, ${generatedBy}::text,
      ${error}::text, now()
    from users where users.uid = ${uid} and users.deleting_at is null
    on conflict (step, key) do update set run = steps.run + 1, state = excluded.state, generated_by = excluded.generated_by,
      error = excluded.error, ended_at = now()`;
};

/**
 * Returns an SQL condition: the account of a step is not being deleted. Steps that do not meet the condition must not
 * run, because the deletion removes their rows.
 */
const ownerStays = (sql: Executor) => sql`
  not exists (select from users where users.uid = steps.uid and users.deleting_at is not null)`;

/** A step that is due. */
export interface DueStep extends StepRun {
  readonly uid: string;
  /** Number of attempts so far. */
  readonly attempt: number;
}

/**
 * Takes due steps for the queue. Users take turns: first comes the step of each user that has been due for longest,
 * then each user's next step.
 * @returns at most `limit` steps, in the order of the users' turns.
 */
export const takeDueSteps = async (
  sql: Sql,
  { pause, limit, served, without, mostOfUser }: TurnsTaken,
): Promise<DueStep[]> => {
  const rows = await sql<DueStep[]>`
    with waiting as (
      select s.step, s.key, row_number() over (
        order by s.turn, served.place nulls first, s.due_at, s.step, s.key) as place
      from (
        select step, key, uid, due_at, row_number() over (partition by uid order by due_at, step, key) as turn
        from steps where state = 'waiting' and due_at <= now() and ${ownerStays(sql)}
          and uid <> all(${without as string[]}::text[])) s
      left join unnest(${served as string[]}::text[]) with ordinality as served (uid, place) on served.uid = s.uid
      where s.turn <= ${mostOfUser} order by place limit ${limit}),
    next as (
      select s.step, s.key from steps s join waiting using (step, key)
      where s.state = 'waiting' and s.due_at <= now()
      for update of s skip locked),
    taken as (
      update steps set due_at = now() + make_interval(secs => ${pause})
      where (step, key) in (select step, key from next) returning step, key, run, uid, attempts as attempt)
    select taken.* from taken join waiting using (step, key) order by place`;
  return [...rows];
};

/** Delays a run of a step by `seconds`. */
export const postponeStep = async (sql: Sql, { step, key, run }: StepRun, seconds: number): Promise<void> => {
  await sql`
    update steps set due_at = now() + make_interval(secs => ${seconds}::double precision)
    where step = ${step} and key = ${key} and run = ${run} and state = 'waiting'`;
};

/** A begun step with its subject: a conversation or a day. */
export interface BegunStep extends StepRun {
  readonly uid: string;
  readonly conversation_id: string | null;
  readonly day: string | null;
  readonly attempts: number;
}

/**
 * Counts an attempt at a step and returns the step. Null when this run of the step has ended, was requested again, or
 * belongs to an account that is being deleted.
 * @param pause seconds after which the step is due again, in case the attempt dies with its process.
 */
export const beginStep = (sql: Sql, { step, key, run }: StepRun, pause: number): Promise<BegunStep | null> =>
  firstRow(sql<BegunStep[]>`
    update steps set attempts = attempts + 1, due_at = now() + make_interval(secs => ${pause})
    where step = ${step} and key = ${key} and run = ${run} and state = 'waiting' and ${ownerStays(sql)}
    returning step, key, run, uid, conversation_id, to_char(day, 'YYYY-MM-DD') as day, attempts`);

/**
 * Ends a run of a step, in the transaction that stores its result. Locks the user's row. So a deletion of the account
 * that begins meanwhile waits for this transaction, and then also removes the result.
 * @returns false when the run has ended, another run was requested, or the account is being deleted. The caller must
 *   then store nothing.
 */
export const endStep = async (
  sql: Executor,
  { step, key, run, uid }: Pick<BegunStep, 'step' | 'key' | 'run' | 'uid'>,
  { generatedBy, error }: StepEnd,
): Promise<boolean> => {
  const ended = await sql`
    with owner as (
      select uid from users where deleting_at is null and uid = ${uid} for share)
    update steps set state = ${error === null ? 'done' : 'dead'}, generated_by = ${generatedBy}, error = ${error},
      ended_at = now()
    from owner
    where steps.uid = owner.uid and step = ${step} and key = ${key} and run = ${run} and state = 'waiting'
    returning 1 as ended`;
  return ended.length > 0;
};

/** Number of days for which rows of completed steps stay stored. */
const keptDays = 7;

/**
 * Statement of `sweepSteps`. The step names are literals instead of parameters, so that the planner can use the partial
 * index `steps_done`.
 */
const sweepText = `
  delete from steps where (step, key) in (
    select step, key from steps
    where state = 'done' and step not in (${onceSteps.map((step) => `'${step}'`).join(', ')})
      and ended_at < now() - make_interval(days => ${keptDays})
    limit 1000)`;

/** Removes steps done more than 7 days ago. Dead steps and steps that run only once remain. */
export const sweepSteps = async (sql: Sql): Promise<void> => {
  await preparedText(sql, sweepText, []);
};

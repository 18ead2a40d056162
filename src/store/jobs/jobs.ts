import { validate as isUuid } from 'uuid';
import { announce, type Sql } from '../client/index.js';

export const jobStates = ['waiting', 'done', 'dead'] as const;
export type JobState = (typeof jobStates)[number];

/**
 * A job as shown to operators: a step, a conversation that waits for its summary, retained audio, or a recording.
 * Contains ids, times and codes, never transcripts.
 */
export interface JobRow {
  /** `STEP:KEY`. `retryJobs` takes this id to run the job again. */
  readonly id: string;
  readonly step: string;
  readonly state: JobState;
  readonly uid: string;
  readonly attempts: number;
  readonly generated_by: string | null;
  readonly error: string | null;
  readonly created_at: Date;
  /**
   * Time at which a waiting job is due; for a summary, the time of its last claim. Null if the job does not wait or was
   * not claimed.
   */
  readonly due_at: Date | null;
  readonly ended_at: Date | null;
}

/**
 * SQL that selects all jobs as one relation. Conversations that wait for their summary have no row in `steps` yet.
 * Retained audio and recordings never have a row in `steps`.
 */
const jobs = `
  select step || ':' || key as id, step, state, uid, attempts, generated_by, error, created_at,
    case when state = 'waiting' then due_at end as due_at, ended_at
  from steps
  union all
  select 'summary:' || id, 'summary', case status when 'failed' then 'dead' else 'waiting' end, uid, processing_attempts, null,
    case status when 'failed' then 'internal' end, created_at, case status when 'processing' then claimed_at end, null
  from conversations where status in ('processing', 'failed') and deleted_at is null
  union all
  select 'retained:' || key, 'retained', state, coalesce(uid, ''), attempts, null, error, created_at,
    case when state = 'waiting' then due_at end, nullif(ended_at, 'infinity')
  from retained_audio
  union all
  select 'recording:' || id, 'recording', case state when 'transcribed' then 'waiting' else state end, uid, attempts, null, error,
    created_at, case when state in ('waiting', 'transcribed') then due_at end, ended_at
  from recordings`;

export interface JobFilter {
  readonly state?: JobState | undefined;
  readonly step?: string | undefined;
  readonly uid?: string | undefined;
  readonly limit: number;
}

/** Lists jobs. The job that ended or was requested most recently comes first. */
export const listJobs = (sql: Sql, { state, step, uid, limit }: JobFilter): Promise<JobRow[]> =>
  sql<JobRow[]>`
    select * from (${sql.unsafe(jobs)}) as job
    where true ${state ? sql`and state = ${state}` : sql``} ${step ? sql`and step = ${step}` : sql``}
      ${uid ? sql`and uid = ${uid}` : sql``}
    order by coalesce(ended_at, created_at) desc, id limit ${limit}`;

export interface JobCount {
  readonly step: string;
  readonly state: JobState;
  readonly count: number;
}

/** Counts jobs by step and state. */
export const countJobs = (sql: Sql): Promise<JobCount[]> =>
  sql<JobCount[]>`
    select step, state, count(*)::integer as count from (${sql.unsafe(jobs)}) as job
    group by step, state order by step, state`;

/** Counts jobs by step and state. Leaves out jobs that are done, because there may be very many. */
export const countOpenJobs = (sql: Sql): Promise<JobCount[]> =>
  sql<JobCount[]>`
    select step, state, count(*)::integer as count from (
      -- Each part has its own partial index, which contains only its rows.
      select step, state from steps where state = 'waiting'
      union all
      select step, state from steps where state = 'dead'
      union all
      select 'summary', 'waiting' from conversations where status = 'processing' and deleted_at is null
      union all
      select 'summary', 'dead' from conversations where status = 'failed' and deleted_at is null
      union all
      select 'retained', state from retained_audio where state = 'waiting'
      union all
      select 'retained', state from retained_audio where state = 'dead'
      union all
      select 'recording', 'waiting' from recordings where state in ('waiting', 'transcribed')
      union all
      select 'recording', state from recordings where state = 'dead') as job
    group by step, state order by step, state`;

/**
 * Runs dead jobs again.
 * @param ids job ids of `listJobs`; all dead jobs when absent.
 * @returns the ids of the jobs that run again.
 */
export const retryJobs = async (sql: Sql, ids?: readonly string[]): Promise<string[]> =>
  (await sql.begin(async (transaction) => {
    const wanted = ids as string[] | undefined;
    const steps = await transaction<{ id: string }[]>`
      update steps set run = run + 1, state = 'waiting', attempts = 0, error = null, due_at = now(), ended_at = null
      where state = 'dead' ${wanted ? transaction`and step || ':' || key = any(${wanted})` : transaction``}
      returning step || ':' || key as id`;
    const conversations = wanted
      ?.filter((id) => id.startsWith('summary:'))
      .map((id) => id.slice('summary:'.length))
      .filter(isUuid);
    const summaries = await transaction<{ id: string }[]>`
      update conversations set status = 'processing', processing_attempts = 0, claimed_at = null, updated_at = now()
      where status = 'failed' and deleted_at is null
        ${conversations ? transaction`and id = any(${conversations}::uuid[])` : transaction``}
      returning 'summary:' || id as id`;
    const retained = await transaction<{ id: string }[]>`
      update retained_audio set state = 'waiting', attempts = 0, error = null, due_at = now(), ended_at = null
      where state = 'dead' ${wanted ? transaction`and 'retained:' || key = any(${wanted})` : transaction``}
      returning 'retained:' || key as id`;
    const recordings = await transaction<{ id: string }[]>`
      update recordings set state = 'waiting', attempts = 0, error = null, due_at = now(), ended_at = null
      where state = 'dead' ${wanted ? transaction`and 'recording:' || id = any(${wanted})` : transaction``}
      returning 'recording:' || id as id`;
    await announce(transaction, 'conversation_finished', '');
    return [...steps, ...summaries, ...retained, ...recordings].map(({ id }) => id);
  })) as string[];

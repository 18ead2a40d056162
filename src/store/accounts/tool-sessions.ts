import type { Sql } from '../client/index.js';

export interface EndedSession {
  readonly id: string;
  readonly ended_at: Date;
}

/**
 * Maximum number of ended sessions stored for each user. If the row of an ended session is removed, its id is accepted
 * again. That is harmless, because every request also needs a valid credential.
 */
const keptPerUser = 1000;

/**
 * Records that a session was ended. Removes records older than `age`, and the user's oldest records if there are too
 * many.
 * @param age maximum age of a session, in ms.
 */
export const recordEndedSession = async (sql: Sql, uid: string, id: string, age: number): Promise<void> => {
  await sql`insert into ended_tool_sessions (id, uid) values (${id}, ${uid}) on conflict do nothing`;
  await sql`
    delete from ended_tool_sessions where id in (
      (select id from ended_tool_sessions where ended_at < now() - make_interval(secs => ${age / 1000}) limit 1000)
      union all
      (select id from ended_tool_sessions where uid = ${uid} order by ended_at desc offset ${keptPerUser}))`;
};

/** Returns the newest `most` sessions that ended at or after `since`, oldest first. */
export const sessionsEndedSince = async (sql: Sql, since: Date, most: number): Promise<EndedSession[]> => {
  const rows = await sql<EndedSession[]>`
    select id, ended_at from ended_tool_sessions where ended_at >= ${since} order by ended_at desc limit ${most}`;
  return [...rows].reverse();
};

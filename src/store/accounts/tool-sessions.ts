import type { Sql } from '../client/index.js';

export interface EndedSession {
  readonly id: string;
  readonly ended_at: Date;
}

/**
 * Ended sessions stored for each user. An older ended session would be accepted again, which permits nothing beyond the
 * credential.
 */
const keptPerUser = 1000;

/**
 * Records that a session was ended. Removes records older than any session can be, and records beyond the user's limit.
 * @param age of the oldest sessions, in ms.
 */
export const recordEndedSession = async (sql: Sql, uid: string, id: string, age: number): Promise<void> => {
  await sql`insert into ended_tool_sessions (id, uid) values (${id}, ${uid}) on conflict do nothing`;
  await sql`
    delete from ended_tool_sessions where id in (
      (select id from ended_tool_sessions where ended_at < now() - make_interval(secs => ${age / 1000}) limit 1000)
      union all
      (select id from ended_tool_sessions where uid = ${uid} order by ended_at desc offset ${keptPerUser}))`;
};

/** The newest `most` sessions that ended since a moment, oldest first. */
export const sessionsEndedSince = async (sql: Sql, since: Date, most: number): Promise<EndedSession[]> => {
  const rows = await sql<EndedSession[]>`
    select id, ended_at from ended_tool_sessions where ended_at >= ${since} order by ended_at desc limit ${most}`;
  return [...rows].reverse();
};

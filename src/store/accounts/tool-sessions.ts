import type { Sql } from '../client/index.js';

export interface EndedSession {
  readonly id: string;
  readonly ended_at: Date;
}

/** Of a user no more are kept. An older one that was ended would be taken again, which opens nothing that the credential does not. */
const keptPerUser = 1000;

/**
 * Records that a session was ended. Removes what is older than a session can be, and what is beyond the bound of the user.
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

/** The newest sessions that were ended since a moment, oldest first. */
export const sessionsEndedSince = async (sql: Sql, since: Date, most: number): Promise<EndedSession[]> => {
  const rows = await sql<EndedSession[]>`
    select id, ended_at from ended_tool_sessions where ended_at >= ${since} order by ended_at desc limit ${most}`;
  return [...rows].reverse();
};

import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../../src/store/client/database.js';

/** Fetches the metrics page. Retries if the server closed the reused connection just before the request. */
export const pageOf = async (url: string): Promise<string> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (await fetch(url)).text();
    } catch (error) {
      if (attempt === 3) throw error;
      await pause(500);
    }
  }
};

/** Returns the value of one metric of a Prometheus page, summed over its labels. */
export const metricOf = async (metricsUrl: string, name: string): Promise<number> => {
  const page = await pageOf(metricsUrl);
  return page
    .split('\n')
    .filter((line) => line.startsWith(`cochlea_${name} `) || line.startsWith(`cochlea_${name}{`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

export interface SettledOptions {
  readonly sql: Sql;
  readonly metricsUrl: string;
  /** Folder of the retained audio. */
  readonly folder: string;
  /** Maximum ms to wait. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until all sessions have ended, all retained audio is transcribed and every conversation is closed.
 * @returns a description of the unfinished work after the timeout; undefined if all is done.
 */
export const untilSettled = async (options: SettledOptions): Promise<string | undefined> => {
  const { sql, metricsUrl, folder, timeout, signal } = options;
  const until = performance.now() + timeout;
  for (;;) {
    signal.throwIfAborted();
    const sessions = await metricOf(metricsUrl, 'sessions_active');
    const files = (await readdir(folder).catch(() => [])).length;
    const [open] = await sql<{ rows: number; conversations: number }[]>`
      select (select count(*)::int from retained_audio where state = 'waiting') as rows,
        (select count(*)::int from conversations where status = 'in_progress') as conversations`;
    if (sessions + files + open!.rows + open!.conversations === 0) return undefined;
    if (performance.now() > until) {
      return `${sessions} sessions, ${files} retained files, ${open!.rows} retained rows and ${open!.conversations} open conversations are left`;
    }
    await pause(500);
  }
};

/**
 * Returns the number of conversations, and each user's transcripts, joined in the order of the conversations. Keys are
 * user ids.
 */
export const transcriptsOf = async (
  sql: Sql,
): Promise<ReadonlyMap<string, { readonly text: string; readonly conversations: number }>> => {
  const rows = await sql<{ uid: string; text: string; conversations: number }[]>`
    select uid, count(distinct conversations.id)::int as conversations,
      string_agg(text, ' ' order by conversations.started_at, start_seconds, position) as text
    from segments join conversations on conversations.id = conversation_id where not deleted group by uid`;
  return new Map(rows.map(({ uid, text, conversations }) => [uid, { text, conversations }]));
};

import type { Sql, TransactionSql } from 'postgres';

/** Sends announcements to other processes, in place of the notifications of the database. */
export interface Announcer {
  /**
   * Whether the announcer sends the announcements of this channel. If so, the database sends no notification for it.
   */
  carries(channel: string): boolean;
  /** Sends an announcement, which may be lost. Never throws. */
  publish(channel: string, payload: string): void;
}

/** A pool or a transaction on which announcements can be made. */
type Announcing = Pick<Sql | TransactionSql, 'unsafe'>;

/** Announcements of a transaction that are sent after its commit. */
type Waiting = [channel: string, payload: string][];

interface Way {
  readonly announcer: Announcer;
  /** Absent for a pool, whose statements are committed at once. */
  readonly waiting?: Waiting;
}

const ways = new WeakMap<object, Way>();

/** Lets a pool announce through `announcer`. */
export const announceOn = (sql: Sql, announcer: Announcer): void => void ways.set(sql, { announcer });

/**
 * Makes a transaction use its pool's announcer. Announcements of the transaction are collected until its commit.
 * @returns a function that sends them; call it after the commit.
 */
export const announceAfter = (pool: object, transaction: object): (() => void) => {
  const way = ways.get(pool);
  if (way === undefined) return () => undefined;
  const waiting: Waiting = [];
  ways.set(transaction, { announcer: way.announcer, waiting });
  return () => {
    for (const [channel, payload] of waiting) way.announcer.publish(channel, payload);
  };
};

/** How a statement announces a change. */
export interface Announcement {
  /** Whether the statement itself must call `pg_notify`. */
  readonly notifies: boolean;
  /**
   * The caller calls this function after the statement, once for each change. It does nothing if `notifies` is true.
   */
  tell(payload: string): void;
}

/**
 * Prepares the announcement of a change that a statement makes. If no announcer carries the channel, the statement
 * itself must call `pg_notify`. Otherwise `tell` publishes the change; in a transaction, only after the commit.
 */
export const announcing = (sql: Announcing, channel: string): Announcement => {
  const way = ways.get(sql);
  if (way === undefined || !way.announcer.carries(channel)) return { notifies: true, tell: () => undefined };
  const { announcer, waiting } = way;
  return {
    notifies: false,
    tell: (payload) => {
      if (waiting === undefined) announcer.publish(channel, payload);
      else waiting.push([channel, payload]);
    },
  };
};

/**
 * Announces a change. In a transaction, the announcement is sent after the commit. If no announcer carries the channel,
 * the database sends a notification.
 */
export const announce = async (sql: Announcing, channel: string, payload: string): Promise<void> => {
  const { notifies, tell } = announcing(sql, channel);
  if (notifies) await sql.unsafe('select pg_notify($1, $2)', [channel, payload]);
  else tell(payload);
};

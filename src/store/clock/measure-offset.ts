import type { Sql } from '../client/index.js';

/** Number of queries in one measurement. Only the query with the fastest answer counts. */
const questions = 5;
/** Ms after which a measurement sends no further query. */
const longest = 1000;

/** The clocks of a process. */
export interface ProcessClocks {
  /** Wall clock, ms since the epoch. */
  readonly wall: () => number;
  /** A clock that never jumps, in ms. */
  readonly monotonic: () => number;
}

/** A measured difference of two clocks. */
export interface MeasuredOffset {
  /** Number of ms that the clock of the database is ahead. */
  readonly offset: number;
  /** Number of ms from the query to its answer. The offset may be wrong by half of this time. */
  readonly roundTrip: number;
}

/**
 * Measures how far the database's clock is ahead of a process's wall clock. It assumes that the query and its answer
 * took equally long on the network.
 * @throws the database's error.
 */
export const measureOffset = async (
  sql: Sql,
  { wall, monotonic }: ProcessClocks,
): Promise<MeasuredOffset> => {
  let best: MeasuredOffset = { offset: 0, roundTrip: Number.POSITIVE_INFINITY };
  const started = monotonic();
  for (let question = 0; question < questions && monotonic() - started <= longest; question++) {
    const asked = wall();
    const began = monotonic();
    const [row] = await sql<{ now: number }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as now`;
    const roundTrip = monotonic() - began;
    if (roundTrip < best.roundTrip) best = { offset: row!.now - (asked + roundTrip / 2), roundTrip };
  }
  return best;
};

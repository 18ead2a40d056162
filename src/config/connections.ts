import type { Settings } from './settings.js';
import { shardCount } from './shard-count.js';

/** Maximum number of PostgreSQL connections of each part of a deployment. */
export interface ConnectionPlan {
  /** Connections for REST requests of the sidecar. */
  readonly rest: number;
  /**
   * Connections of the pipeline: for jobs that summarise finished conversations, and for the sweep that ends abandoned
   * conversations. The connection that listens for notifications is counted separately.
   */
  readonly pipeline: number;
  /** Connections for reading token keys and accounts, in the sidecar and in each engine process. */
  readonly identity: number;
  /** Connections for the translation thread of an engine process; 0 without translation. */
  readonly translation: number;
  /** Connections for the journal of each shard. */
  readonly journal: number;
  /** Total number of connections of the sidecar. */
  readonly sidecar: number;
  /** Total number of connections of one engine process. */
  readonly engine: number;
  /** Total number of connections of this deployment, with a reserve for commands and migrations. */
  readonly total: number;
}

/** Number of connections reserved for operators' commands and for migrations at start-up. */
const reserve = 3;
const identity = 1;
/** Number of connections of an engine process that listen for completed conversations. */
const listening = 1;
const pipeline = 3;
/**
 * Returns the number of connections of the sidecar that are not for REST: identity, pipeline, notifications, job queue,
 * copies of the spill.
 */
const besideRest = ({ natsUrl, spillKey }: Settings): number =>
  identity + pipeline + listening + 1 + (natsUrl === '' || spillKey === '' ? 0 : 1);
/**
 * Maximum number of connections for one journal. More connections would not help, because commits run one after the
 * other.
 */
const mostOfJournal = 4;
/**
 * Number of connections for REST if the journals do not need some of them. Eight connections permit seven concurrent
 * requests (`FairTurns`). So other users still find free connections when the requests of two users are slow.
 */
const usualOfRest = 8;
/**
 * Total number of connections if `DATABASE_CONNECTIONS` is 0 and the shards need no more than this number. PostgreSQL
 * accepts 97 clients by default.
 */
const usualBudget = 90;

/** Returns the minimum number of connections for REST within a budget. */
const leastOfRest = (budget: number): number => Math.min(16, Math.max(1, Math.floor(budget / 20)));

/**
 * Divides `DATABASE_CONNECTIONS` among the sidecar and the engine processes of this machine. Each journal gets at least
 * one connection. If a journal has more, streams can open while a commit runs.
 */
export const connectionPlan = (settings: Settings): ConnectionPlan => {
  const { engineProcesses: engines, databaseConnections: wanted } = settings;
  const journals = engines * shardCount(settings);
  const budget = wanted || Math.max(usualBudget, leastConnections(settings));
  const share = leastOfRest(budget);
  const translation = translationOf(settings);
  const sidecarBeside = besideRest(settings);
  const left = budget - reserve - sidecarBeside - share - engines * (identity + listening + translation);
  const journal = Math.min(mostOfJournal, Math.max(1, Math.floor(left / journals)));
  const rest = Math.max(share, Math.min(usualOfRest, share + left - journals * journal));
  const sidecar = sidecarBeside + rest;
  const engine = identity + listening + translation + shardCount(settings) * journal;
  const total = reserve + sidecar + engines * engine;
  return { rest, pipeline, identity, translation, journal, sidecar, engine, total };
};

const translationOf = ({ translator }: Settings): number => (translator === 'off' ? 0 : 1);

/** Returns the smallest total number of connections with which each shard of these settings gets a connection. */
export const leastConnections = (settings: Settings): number => {
  const fixed =
    reserve +
    besideRest(settings) +
    settings.engineProcesses * (identity + listening + translationOf(settings) + shardCount(settings));
  // The connections for REST grow with the budget. So the loop searches for the smallest budget that leaves `fixed`
  // connections for all other parts.
  let budget = fixed + 1;
  while (budget - leastOfRest(budget) < fixed) budget++;
  return budget;
};

/** Returns one line for an operator: the total number of connections and the share of each part. */
export const connectionLine = (settings: Settings): string => {
  const { total, sidecar, journal, translation } = connectionPlan(settings);
  const shards = `${shardCount(settings)} shards x ${journal}`;
  return `up to ${total} connections (sidecar ${sidecar}, engine ${settings.engineProcesses} x (${identity + listening + translation} + ${shards}), ${reserve} for commands)`;
};

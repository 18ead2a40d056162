import type { Settings } from './settings.js';
import { shardCount } from './shard-count.js';

/** Number of PostgreSQL connections that each part of a deployment may open. */
export interface ConnectionPlan {
  /** REST requests of the sidecar. */
  readonly rest: number;
  /** Jobs that summarise finished conversations, and the sweep. The listening connection is not included. */
  readonly pipeline: number;
  /** Token keys and accounts, for the sidecar and each engine process. */
  readonly identity: number;
  /** The translation thread of an engine process; 0 without translation. */
  readonly translation: number;
  /** The journal of each shard. */
  readonly journal: number;
  /** All connections of the sidecar. */
  readonly sidecar: number;
  /** All connections of one engine process. */
  readonly engine: number;
  /** All connections of this deployment, with a reserve for commands and migrations. */
  readonly total: number;
}

/** Connections reserved for operators' commands and migrations at a start. */
const reserve = 3;
const identity = 1;
/** The connection of each engine process that listens for completed conversations. */
const listening = 1;
const pipeline = 3;
/** Connections of the sidecar besides REST: identity, pipeline, its listener, job queue. */
const sidecarBeside = identity + pipeline + listening + 1;
/** Maximum connections of a journal. More would not help: commits run one after the other. */
const mostOfJournal = 4;
/**
 * Connections of REST if the journals leave enough. Seven turns, two slow users and a slow operation still leave connections to others.
 */
const usualOfRest = 8;
/** Default budget if `DATABASE_CONNECTIONS` is 0 and the shards need no more. PostgreSQL accepts 97 clients by default. */
const usualBudget = 90;

/** Minimum connections of REST within a budget. */
const leastOfRest = (budget: number): number => Math.min(16, Math.max(1, Math.floor(budget / 20)));

/**
 * Divides `DATABASE_CONNECTIONS` among the sidecar and the engine processes of this machine. A journal works with one connection; with
 * more, streams can open during a commit.
 */
export const connectionPlan = (settings: Settings): ConnectionPlan => {
  const { engineProcesses: engines, databaseConnections: wanted } = settings;
  const journals = engines * shardCount(settings);
  const budget = wanted || Math.max(usualBudget, leastConnections(settings));
  const share = leastOfRest(budget);
  const translation = translationOf(settings);
  const left = budget - reserve - sidecarBeside - share - engines * (identity + listening + translation);
  const journal = Math.min(mostOfJournal, Math.max(1, Math.floor(left / journals)));
  const rest = Math.max(share, Math.min(usualOfRest, share + left - journals * journal));
  const sidecar = sidecarBeside + rest;
  const engine = identity + listening + translation + shardCount(settings) * journal;
  const total = reserve + sidecar + engines * engine;
  return { rest, pipeline, identity, translation, journal, sidecar, engine, total };
};

const translationOf = ({ translator }: Settings): number => (translator === 'off' ? 0 : 1);

/** The smallest budget that serves all shards of these settings. */
export const leastConnections = (settings: Settings): number => {
  const fixed =
    reserve +
    sidecarBeside +
    settings.engineProcesses * (identity + listening + translationOf(settings) + shardCount(settings));
  // REST gets a twentieth of the budget, at least one and at most 16.
  let budget = fixed + 1;
  while (budget - leastOfRest(budget) < fixed) budget++;
  return budget;
};

/** One line for an operator: the total number of connections and the share of each part. */
export const connectionLine = (settings: Settings): string => {
  const { total, sidecar, journal, translation } = connectionPlan(settings);
  const shards = `${shardCount(settings)} shards x ${journal}`;
  return `up to ${total} connections (sidecar ${sidecar}, engine ${settings.engineProcesses} x (${identity + listening + translation} + ${shards}), ${reserve} for commands)`;
};

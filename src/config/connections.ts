import type { Settings } from './settings.js';
import { shardCount } from './shard-count.js';

/** How many connections to PostgreSQL each part of a deployment may open. */
export interface ConnectionPlan {
  /** REST requests of the sidecar. */
  readonly rest: number;
  /** Jobs that summarise finished conversations; with the sweep, beside one connection that listens. */
  readonly pipeline: number;
  /** Token keys and accounts, of the sidecar and of each engine process. */
  readonly identity: number;
  /** The journal of each shard. */
  readonly journal: number;
  /** Everything the sidecar opens. */
  readonly sidecar: number;
  /** Everything one engine process opens. */
  readonly engine: number;
  /** Everything of this deployment at once, with a reserve for commands and migrations. */
  readonly total: number;
}

/** Held free for operators' commands, and for the migrations at a start. */
const reserve = 3;
const identity = 1;
/** The connection of each engine process that listens for completed conversations. */
const listening = 1;
const pipeline = 3;
/** Beside REST: identity, the pipeline and its listener, the job queue. */
const sidecarBeside = identity + pipeline + listening + 1;
/** More gives a journal nothing: its commits run one after the other. */
const mostOfJournal = 4;
/** The budget where `DATABASE_CONNECTIONS` is 0 and the shards do not need more: PostgreSQL's default admits 97. */
const usualBudget = 80;

/**
 * Divides `DATABASE_CONNECTIONS` among the sidecar and the engine processes of this machine. A journal of one
 * connection does its work; those beyond the first let streams open while a commit is under way.
 */
export const connectionPlan = (settings: Settings): ConnectionPlan => {
  const { engineProcesses: engines, databaseConnections: wanted } = settings;
  const journals = engines * shardCount(settings);
  const budget = wanted || Math.max(usualBudget, leastConnections(settings));
  const rest = Math.min(16, Math.max(1, Math.floor(budget / 20)));
  const left = budget - reserve - sidecarBeside - rest - engines * (identity + listening);
  const journal = Math.min(mostOfJournal, Math.max(1, Math.floor(left / journals)));
  const sidecar = sidecarBeside + rest;
  const engine = identity + listening + shardCount(settings) * journal;
  return { rest, pipeline, identity, journal, sidecar, engine, total: reserve + sidecar + engines * engine };
};

/** The smallest budget with which all shards of these settings can work. */
export const leastConnections = (settings: Settings): number => {
  const fixed =
    reserve + sidecarBeside + settings.engineProcesses * (identity + listening + shardCount(settings));
  // REST gets a twentieth of the budget, at least one and at most 16.
  let budget = fixed + 1;
  while (budget - Math.min(16, Math.max(1, Math.floor(budget / 20))) < fixed) budget++;
  return budget;
};

/** One line for an operator: what may be opened, and by what. */
export const connectionLine = (settings: Settings): string => {
  const { total, sidecar, journal } = connectionPlan(settings);
  const shards = `${shardCount(settings)} shards x ${journal}`;
  return `up to ${total} connections (sidecar ${sidecar}, engine ${settings.engineProcesses} x (${identity + listening} + ${shards}), ${reserve} for commands)`;
};

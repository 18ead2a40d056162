import type { Settings } from './settings.js';
import { shardCount } from './shard-count.js';

/** How many connections to PostgreSQL each part of a deployment may open. */
export interface ConnectionPlan {
  /** REST requests of the sidecar. */
  readonly rest: number;
  /** Jobs that summarise finished conversations, and the sweep. The connection that listens is not counted here. */
  readonly pipeline: number;
  /** Token keys and accounts, of the sidecar and of each engine process. */
  readonly identity: number;
  /** The thread of an engine process that translates; 0 where nothing is translated. */
  readonly translation: number;
  /** The journal of each shard. */
  readonly journal: number;
  /** Everything the sidecar opens. */
  readonly sidecar: number;
  /** Everything one engine process opens. */
  readonly engine: number;
  /** Everything of this deployment at once, with a reserve for commands and migrations. */
  readonly total: number;
}

/** Connections kept free for operators' commands and for the migrations at a start. */
const reserve = 3;
const identity = 1;
/** The connection of each engine process that listens for completed conversations. */
const listening = 1;
const pipeline = 3;
/** Connections of the sidecar beside REST: identity, the pipeline and its listener, the job queue. */
const sidecarBeside = identity + pipeline + listening + 1;
/** Most connections of a journal. More would be of no use, because its commits run one after the other. */
const mostOfJournal = 4;
/** Connections of REST where the journals leave them: with seven turns, two slow users and a slow operation leave some to others. */
const usualOfRest = 8;
/** The budget when `DATABASE_CONNECTIONS` is 0, unless the shards need more: PostgreSQL's default allows 97 clients. */
const usualBudget = 90;

/** The share of the budget that REST has at least. */
const leastOfRest = (budget: number): number => Math.min(16, Math.max(1, Math.floor(budget / 20)));

/**
 * Divides `DATABASE_CONNECTIONS` among the sidecar and the engine processes of this machine. One connection is enough for a
 * journal; with more, streams can open while a commit is under way.
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

/** The smallest budget with which all shards of these settings can work. */
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

/** One line for an operator: how many connections may be opened, and by which parts. */
export const connectionLine = (settings: Settings): string => {
  const { total, sidecar, journal, translation } = connectionPlan(settings);
  const shards = `${shardCount(settings)} shards x ${journal}`;
  return `up to ${total} connections (sidecar ${sidecar}, engine ${settings.engineProcesses} x (${identity + listening + translation} + ${shards}), ${reserve} for commands)`;
};

/** The pair of PostgreSQL servers as an operator changes it: a new standby, and a promotion. */
import type { Account } from '../../src/app/privileges/index.js';
import {
  copyToStandby,
  hasData,
  isStandby,
  promoteStandby,
  setSynchronous,
  untilAnswers,
  untilFollows,
} from './parts/postgres.js';
import { isAlive, killFamily } from './processes.js';
import { makeFolder, startPart } from './start.js';
import { addressFor, changeState, type Part, partOf, readState } from './state.js';

/** Returns the server that does not take writes. */
const otherOf = (name: string): string => (name === 'postgres-1' ? 'postgres-2' : 'postgres-1');

/**
 * Starts a server as standby of the primary, and makes commits wait for it. If the server has no files, or those of a
 * former primary, it first gets a copy of the primary's files.
 */
export const attachStandby = async (
  folder: string,
  name: string,
  account: Account | undefined,
): Promise<void> => {
  const state = readState(folder);
  const [primary, standby] = [partOf(state, state.primary), partOf(state, name)];
  if (!isAlive(primary.process)) throw new Error(`${primary.name} takes the writes and is not running.`);
  if (!hasData(standby) || !isStandby(standby)) {
    // Records that commits wait for no standby. So a promotion is refused until the copy is complete.
    await changeState(folder, (now) => ({ ...now, synchronous: false }));
    await setSynchronous(state, primary, false, account);
    await makeCopy(folder, name, account);
  }
  await startPart(folder, name, account);
  const now = readState(folder);
  await untilFollows(now, primary, now.synchronous);
  if (now.synchronous) return;
  await setSynchronous(now, primary, true, account);
  await untilFollows(now, primary, true);
  await changeState(folder, (latest) => ({ ...latest, synchronous: true }));
};

const makeCopy = async (folder: string, name: string, account: Account | undefined): Promise<void> => {
  const state = readState(folder);
  const [primary, standby] = [partOf(state, state.primary), partOf(state, name)];
  await makeFolder(state, standby, account);
  await copyToStandby(state, primary, standby, addressFor(state.links, name, primary.name), account);
};

const requireRunning = ({ name, process, paused }: Part): void => {
  if (!isAlive(process)) throw new Error(`${name} is not running, so it cannot be promoted.`);
  if (paused)
    throw new Error(`${name} is paused, so it cannot be promoted. Run "npm run fleet -- resume ${name}".`);
};

/**
 * Ends the primary, and only then makes the standby take writes. Commits wait for no standby until a new one is
 * attached.
 * @returns the names of the new and the former primary.
 * @throws Error if the standby does not run, or if it may lack commits; `force` permits the latter.
 */
export const promote = async (
  folder: string,
  force: boolean,
  account: Account | undefined,
): Promise<{ readonly primary: string; readonly former: string }> => {
  const state = readState(folder);
  const former = partOf(state, state.primary);
  const standby = partOf(state, otherOf(former.name));
  requireRunning(standby);
  if (!hasData(standby)) throw new Error(`${standby.name} has no files.`);
  if (!state.synchronous && !force) {
    throw new Error(
      `Commits of ${former.name} do not wait for ${standby.name}, which may lack some. --force promotes it nevertheless.`,
    );
  }
  // The former primary must have ended before the promotion, so that there are never two primaries. The tool can be
  // sure of this, because the process runs on this machine.
  if (former.process) await killFamily(former.process);
  await promoteStandby(state, standby, account);
  await changeState(folder, (now) => ({ ...now, primary: standby.name, synchronous: false }));
  const isCutOff = state.network === 'netns' && state.cuts.some(([a, b]) => a === standby.name && b === '*');
  if (!isCutOff) await untilAnswers(state, standby, false);
  return { primary: standby.name, former: former.name };
};

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { onConnection } from '../../store/client/index.js';
import { trySignal } from './try-signal.js';

const stateSchema = z.object({ pid: z.number(), databaseUrl: z.string() });

/** State that a running `cochlea up` stores for operators' commands. */
export type RunState = z.output<typeof stateSchema>;

const stateFile = (dataDir: string): string => join(dataDir, 'run.json');

/** Writes the state. Only its owner can read the file, because the database address contains the password. */
export const writeRunState = (dataDir: string, state: RunState): Promise<void> =>
  writeFile(stateFile(dataDir), JSON.stringify(state), { mode: 0o600 });

export const removeRunState = (dataDir: string): Promise<void> => rm(stateFile(dataDir), { force: true });

/** Maximum ms to wait for an answer of the database. A running `cochlea up` may just be restarting the database. */
const answerTimeout = 5000;

const answers = (databaseUrl: string): Promise<boolean> =>
  onConnection(databaseUrl, { timeoutMs: 2000, name: 'look' }, (sql) => sql`select 1`).then(
    () => true,
    () => false,
  );

/**
 * Reads the state of the `cochlea up` that runs on this folder. Returns undefined if no `cochlea up` runs on it, or if
 * its database does not answer.
 */
export const readRunState = async (dataDir: string): Promise<RunState | undefined> => {
  let state: RunState;
  try {
    state = stateSchema.parse(JSON.parse(await readFile(stateFile(dataDir), 'utf8')));
  } catch {
    return undefined;
  }
  for (const deadline = Date.now() + answerTimeout; !(await answers(state.databaseUrl)); await pause(100)) {
    if (Date.now() > deadline || !trySignal(state.pid, 0)) return undefined;
  }
  return state;
};

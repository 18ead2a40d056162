/** Ends all processes of a fleet. */
import { rmSync } from 'node:fs';
import { removeNamespaces } from './network/namespaces.js';
import { endFamily, isAlive, killFamily } from './processes.js';
import { type Part, type Role, readState, stateFile } from './state.js';

/** The order in which roles end, and the signal that asks them to. */
const order: readonly (readonly [role: Role, signal: NodeJS.Signals])[] = [
  ['balancer', 'SIGTERM'],
  ['engine', 'SIGTERM'],
  ['sidecar', 'SIGTERM'],
  ['transcriber', 'SIGTERM'],
  ['nats', 'SIGTERM'],
  ['postgres', 'SIGINT'],
  ['relay', 'SIGTERM'],
];

/** Ms after which a part is killed. */
const endTimeout = 30_000;

export interface DownOptions {
  /** Keeps the files, with logs. Default: false. */
  readonly keep?: boolean;
  /** Kills all processes at once. Default: false, streams are drained. */
  readonly quick?: boolean;
}

/** Ends the fleet. @returns the number of processes that had to be killed although they were asked to end. */
export const takeDown = async (
  folder: string,
  { keep = false, quick = false }: DownOptions,
): Promise<number> => {
  const state = readState(folder);
  let killed = 0;
  const end = async ({ process }: Part, signal: NodeJS.Signals): Promise<void> => {
    if (!process || !isAlive(process)) return;
    if (quick) await killFamily(process);
    else if (!(await endFamily(process, signal, endTimeout))) killed++;
  };
  for (const [role, signal] of order) {
    await Promise.all(state.parts.filter((part) => part.role === role).map((part) => end(part, signal)));
  }
  if (state.network === 'netns') await removeNamespaces(state.parts);
  if (keep) rmSync(stateFile(folder));
  else rmSync(folder, { recursive: true, force: true });
  return killed;
};

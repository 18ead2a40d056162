/** Ends all processes of a fleet. */
import { rmSync } from 'node:fs';
import { removeNamespaces } from './network/namespaces.js';
import { endFamily, isAlive, killFamily } from './processes.js';
import { type Part, type Role, readState, stateFile } from './state.js';

/** The order in which roles are ended, and the signal that asks their processes to end. */
const order: readonly (readonly [role: Role, signal: NodeJS.Signals])[] = [
  ['balancer', 'SIGTERM'],
  ['engine', 'SIGTERM'],
  ['sidecar', 'SIGTERM'],
  ['transcriber', 'SIGTERM'],
  ['nats', 'SIGTERM'],
  ['postgres', 'SIGINT'],
  ['relay', 'SIGTERM'],
];

/** A part that was asked to end is killed after this many ms. */
const endTimeout = 30_000;

export interface DownOptions {
  /** If true, the fleet's files stay, including logs. Default: false. */
  readonly keep?: boolean;
  /**
   * If true, kills all processes at once. If false, the default, asks the processes to end, so that streams are
   * drained.
   */
  readonly quick?: boolean;
}

/** Ends the fleet. @returns the number of processes that were asked to end and then had to be killed. */
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

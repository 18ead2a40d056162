import { fileURLToPath } from 'node:url';
import type { Target } from '../fleet/target.js';
import { type Program, startProgram } from './program.js';
import { preparePython } from './python-environment.js';

export const peerNames = ['node', 'node-batched', 'node-workers', 'python'] as const;
export type PeerName = (typeof peerNames)[number];

export interface PeerOptions {
  /** CPU cores that the server may use, in the syntax of `taskset -c`; absent: all cores. */
  readonly cpus?: string;
}

const nodeServer = fileURLToPath(new URL('./node/server.js', import.meta.url));
const modes = { node: 'single', 'node-batched': 'batched', 'node-workers': 'workers' } as const;

const programOf = async (name: PeerName): Promise<Program | { readonly skipped: string }> => {
  if (name !== 'python') return { command: process.execPath, words: [nodeServer, modes[name]] };
  const prepared = await preparePython();
  return 'skipped' in prepared ? prepared : { command: prepared.python, words: prepared.words };
};

/**
 * Starts another server that does the work of the engine up to the detector's decision. The server ends with `stop`, or
 * with this process.
 * @returns the reason why the server was skipped if a requirement is missing.
 * @throws Error when the server ended before it listened.
 */
export const startPeer = async (
  name: PeerName,
  options: PeerOptions = {},
): Promise<Target | { readonly skipped: string }> => {
  const program = await programOf(name);
  return 'skipped' in program ? program : startProgram(name, program, options.cpus);
};

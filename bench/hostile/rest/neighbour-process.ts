import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endChild } from '../../fleet/child-process.js';
import type { NeighbourCounts, NeighbourMessage, NeighbourOrder } from './neighbour-program.js';

const program = fileURLToPath(new URL('neighbour-program.js', import.meta.url));
/** Maximum ms for the process to end. */
const endTimeout = 5000;

/** The process of the accounts that send requests at the same time as an honest user. */
export interface NeighbourProcess {
  /** Begins a phase. Resolves shortly before its first requests. */
  begin(order: NeighbourOrder): Promise<void>;
  /** Ends the phase. @param drain ms that unanswered requests may still take. */
  finish(drain: number): Promise<NeighbourCounts>;
  stop(): Promise<void>;
}

/**
 * Starts the process. It builds all request bodies before a phase begins. During the phase it only sends them, so it
 * takes little CPU time from the product.
 */
export const startNeighbours = (): NeighbourProcess => {
  // Bodies are sent to the process as bytes instead of JSON.
  const child = fork(program, {
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit').then(() => {
    throw new Error('the accounts beside the honest user ended by themselves');
  });
  exit.catch(() => undefined);
  const ask = async (message: NeighbourMessage): Promise<unknown> => {
    const answer = once(child, 'message');
    child.send(message);
    return ((await Promise.race([answer, exit])) as [unknown])[0];
  };
  return {
    begin: async (order) => void (await ask({ begin: order })),
    finish: async (drain) => (await ask({ finish: drain })) as NeighbourCounts,
    stop: () => endChild(child, endTimeout),
  };
};

import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Niceness of what may wait a moment: the sidecar and the transcriber. The engine has the processor first when all of them want it,
 * because a wearable sends its next frame whether the last one was decoded or not.
 */
export const backgroundNiceness = 5;

/**
 * Niceness of the embedded database. Its long statements leave the processor to the thread of the sidecar, which all requests need; the
 * short ones of most requests begin at once all the same, because Linux lets first who has waited.
 */
export const databaseNiceness = 10;

/** The calls of the system that this needs. Others are given in tests only. */
export interface PrioritySystem {
  getPriority(): number;
  setPriority(niceness: number): void;
}

const lowest = -20;

/** @returns false where a system-call filter of a service or container, or a missing privilege, refuses it. */
const trySetPriority = (niceness: number, system: PrioritySystem): boolean => {
  try {
    system.setPriority(niceness);
    return true;
  } catch (error) {
    const reason = (error as { info?: { code?: string } }).info?.code;
    if (reason === 'EPERM' || reason === 'EACCES' || reason === 'ENOSYS') return false;
    throw error;
  }
};

/**
 * Gives this process's session a niceness. Where Linux shares the processor among sessions first (`sched_autogroup_enabled`,
 * autogroup in sched(7)), a thread's niceness counts only among the threads of its session. Does nothing for a process that
 * does not lead its session, which it would share with others.
 */
const trySetSessionPriority = (niceness: number): void => {
  try {
    // Behind the name, which may hold spaces: state, parent, process group, session.
    const session = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)!.split(' ')[3];
    if (session === String(process.pid)) writeFileSync('/proc/self/autogroup', String(niceness));
  } catch {
    // Another system, a kernel without autogroups, or not allowed.
  }
};

/**
 * Gives the processor to others first. On Linux niceness belongs to a thread and to what it starts from then on, elsewhere to
 * the whole process, so this is called at the start of processes that have nothing but such work. It needs no privilege, but
 * a system-call filter of a service or container may refuse it. The process then runs as it is.
 * @returns whether this process has that niceness now.
 */
export const yieldProcessor = (system: PrioritySystem = { getPriority, setPriority }): boolean => {
  if (system.getPriority() >= backgroundNiceness) return true;
  trySetSessionPriority(backgroundNiceness);
  return trySetPriority(backgroundNiceness, system);
};

/**
 * Lowers the niceness of this process's session, and that of this thread while threads are started that are to have the
 * processor first: a thread begins with the niceness of the one that starts it. Only root, or a process whose RLIMIT_NICE
 * allows it, can do so; after root's privileges are given up it is too late.
 * @param by how much, from 0 to 19.
 * @returns the niceness that was asked for, and what gives this thread its own again.
 */
export const raiseStartedThreads = (
  by: number,
  system: PrioritySystem = { getPriority, setPriority },
): { readonly niceness: number; restore(): void } => {
  const own = system.getPriority();
  const niceness = Math.max(lowest, own - by);
  if (niceness === own || !trySetPriority(niceness, system)) return { niceness, restore: () => undefined };
  trySetSessionPriority(niceness);
  return { niceness, restore: () => void trySetPriority(own, system) };
};

/** Niceness of a thread whose work no request waits for, below that of the process it belongs to. */
const spareNiceness = 10;

/**
 * Gives the processor to the other threads of this process first. Linux only: elsewhere niceness belongs to the process.
 * @returns whether this thread has that niceness now.
 */
export const yieldThread = (system: PrioritySystem = { getPriority, setPriority }): boolean => {
  if (process.platform !== 'linux') return false;
  return system.getPriority() >= spareNiceness || trySetPriority(spareNiceness, system);
};

import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Niceness of work that can wait briefly: sidecar and transcriber. The engine gets the processor first, because wearables send frames
 * without waiting for decoding.
 */
export const backgroundNiceness = 5;

/**
 * Niceness of the embedded database. Its long statements yield to the sidecar's thread, which all requests need. Short statements still
 * start at once, because Linux prefers processes that waited.
 */
export const databaseNiceness = 10;

/** System calls that this file needs. Only tests replace them. */
export interface PrioritySystem {
  getPriority(): number;
  setPriority(niceness: number): void;
}

const lowest = -20;

/** Sets the niceness. @returns false if a system-call filter or a missing privilege refuses the change */
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
 * Sets the niceness of this process's session. If Linux shares the processor by session (`sched_autogroup_enabled`,
 * autogroup in sched(7)), thread niceness counts only within the session. Does nothing unless the process leads its
 * session, because the change would affect other processes of the session.
 */
const trySetSessionPriority = (niceness: number): void => {
  try {
    // Splits after the process name, which may contain spaces. The fields after the name are state, parent, process
    // group, session.
    const session = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)!.split(' ')[3];
    if (session === String(process.pid)) writeFileSync('/proc/self/autogroup', String(niceness));
  } catch {
    // The system is not Linux, its kernel has no autogroups, or permission is missing.
  }
};

/**
 * Yields the processor to other processes. Call at the start of a process that runs only background work. On Linux,
 * niceness applies to a thread and the threads it starts later; elsewhere to the process. The change needs no
 * privilege, but a system-call filter may refuse it. The process then keeps its niceness.
 * @returns whether this process now has that niceness.
 */
export const yieldProcessor = (system: PrioritySystem = { getPriority, setPriority }): boolean => {
  if (system.getPriority() >= backgroundNiceness) return true;
  trySetSessionPriority(backgroundNiceness);
  return trySetPriority(backgroundNiceness, system);
};

/**
 * Lowers the niceness of this process's session and of this thread while it starts high-priority threads. A new thread
 * inherits the niceness of its starter. Needs root or a sufficient RLIMIT_NICE, so call it before root's privileges are
 * dropped.
 * @param by reduction of the niceness, from 0 to 19.
 * @returns the requested niceness, and a function that restores this thread's niceness.
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

/** System calls for another process. Only tests replace them. */
export interface ChildPrioritySystem {
  getPriority(): number;
  setPriority(pid: number, niceness: number): void;
}

/**
 * Makes a child process yield the processor. Does nothing if this process, from which the child inherits, is already as
 * nice: a lower niceness needs a privilege. Also does nothing if a system-call filter refuses the change.
 * @returns whether the child now has at least that niceness.
 */
export const yieldChild = (
  pid: number,
  niceness: number,
  system: ChildPrioritySystem = { getPriority, setPriority },
): boolean =>
  system.getPriority() >= niceness ||
  trySetPriority(niceness, {
    getPriority: () => system.getPriority(),
    setPriority: (to) => system.setPriority(pid, to),
  });

/** Niceness of a thread whose work can wait for the other threads of its process. */
const spareNiceness = 10;

/**
 * Niceness of a thread for the long texts of a few users. It yields to the embedded database as well, which serves all
 * users.
 */
export const longTextNiceness = 15;

/**
 * Yields the processor to the other threads of this process. Works only on Linux, because elsewhere niceness applies to
 * the process.
 * @returns whether this thread now has at least that niceness.
 */
export const yieldThread = (
  niceness: number = spareNiceness,
  system: PrioritySystem = { getPriority, setPriority },
): boolean => {
  if (process.platform !== 'linux') return false;
  return system.getPriority() >= niceness || trySetPriority(niceness, system);
};

import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Niceness of sidecar and transcriber, whose work can wait briefly. With this niceness, the engine gets the processor
 * first, because wearables send frames continuously.
 */
export const backgroundNiceness = 5;

/**
 * Niceness of the embedded database. With this niceness, its long statements yield the processor to the sidecar's
 * thread, which all requests need. Short statements still start at once, because Linux prefers processes that have
 * waited.
 */
export const databaseNiceness = 10;

/** Functions that read and set the priority of this process. Only tests replace them. */
export interface PrioritySystem {
  getPriority(): number;
  setPriority(niceness: number): void;
}

const lowest = -20;

/** Sets the niceness. @returns false if a system-call filter or a missing privilege prevents the change */
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
 * Sets the niceness of this process's session. Linux may divide processor time by session (`sched_autogroup_enabled`,
 * autogroup in sched(7)). In this case, the niceness of a thread only matters within its session. Does nothing if this
 * process is not the leader of its session, because the change would also affect other processes.
 */
const trySetSessionPriority = (niceness: number): void => {
  try {
    // The process name ends with `)` and may contain spaces, so only the text after it is split. The fields after the
    // name are state, parent, process group, session.
    const session = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)!.split(' ')[3];
    if (session === String(process.pid)) writeFileSync('/proc/self/autogroup', String(niceness));
  } catch {
    // The system is not Linux, its kernel has no autogroups, or permission is missing.
  }
};

/**
 * Raises the niceness of this process, so that it yields the processor to other processes. Call this function at the
 * start of a process that runs only background work. On Linux, niceness applies to this thread and threads started
 * later; on other systems to the process. The change needs no privilege. If a system-call filter refuses it, the
 * niceness stays unchanged.
 * @returns whether this process now has `backgroundNiceness`.
 */
export const yieldProcessor = (system: PrioritySystem = { getPriority, setPriority }): boolean => {
  if (system.getPriority() >= backgroundNiceness) return true;
  trySetSessionPriority(backgroundNiceness);
  return trySetPriority(backgroundNiceness, system);
};

/**
 * Lowers the niceness of this process's session and of this thread. Call this function before this thread starts
 * high-priority threads, because a new thread inherits the niceness of the thread that starts it. Lower niceness needs
 * root or a sufficient RLIMIT_NICE, so call this before the process drops root's privileges.
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

/** Functions that read the priority of this process and set that of another process. Only tests replace them. */
export interface ChildPrioritySystem {
  getPriority(): number;
  setPriority(pid: number, niceness: number): void;
}

/**
 * Raises the niceness of a child process, so that it yields the processor. The child has inherited the niceness of this
 * process. If this niceness is already high enough, it stays unchanged, because lowering it would need a privilege. It
 * also stays unchanged if a system-call filter refuses the change.
 * @returns whether the child now has at least the requested niceness.
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

/** Default niceness of a thread whose work can wait for other threads of its process. */
const spareNiceness = 10;

/**
 * Niceness of work that takes long for a few users: the thread that processes long texts, and ffmpeg. With this
 * niceness, the work also yields to the embedded database, which serves all users.
 */
export const longTextNiceness = 15;

/**
 * Raises the niceness of this thread, so that it yields the processor to the other threads of this process. Does
 * nothing on systems other than Linux, where niceness applies to the whole process.
 * @returns whether this thread now has at least the requested niceness.
 */
export const yieldThread = (
  niceness: number = spareNiceness,
  system: PrioritySystem = { getPriority, setPriority },
): boolean => {
  if (process.platform !== 'linux') return false;
  return system.getPriority() >= niceness || trySetPriority(niceness, system);
};

import { getPriority, setPriority } from 'node:os';

/**
 * Niceness of what may wait a moment: the embedded database, the sidecar and the transcriber. The engine has the processor
 * first when all of them want it, because a wearable sends its next frame whether the last one was decoded or not.
 */
export const backgroundNiceness = 5;

/** The calls of the system that this needs. Others are given in tests only. */
export interface PrioritySystem {
  getPriority(): number;
  setPriority(niceness: number): void;
}

/**
 * Gives the processor to others first. On Linux niceness belongs to a thread and to what it starts from then on, elsewhere to
 * the whole process, so this is called at the start of processes that have nothing but such work. It needs no privilege, but
 * a system-call filter of a service or container may refuse it. The process then runs as it is.
 * @returns whether this process has that niceness now.
 */
export const yieldProcessor = (system: PrioritySystem = { getPriority, setPriority }): boolean => {
  if (system.getPriority() >= backgroundNiceness) return true;
  try {
    system.setPriority(backgroundNiceness);
    return true;
  } catch (error) {
    const reason = (error as { info?: { code?: string } }).info?.code;
    if (reason === 'EPERM' || reason === 'EACCES' || reason === 'ENOSYS') return false;
    throw error;
  }
};

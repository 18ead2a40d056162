import { getPriority, setPriority } from 'node:os';

/**
 * Niceness of what may wait a moment: the embedded database, the sidecar and the transcriber. The engine has the processor
 * first when all of them want it, because a wearable sends its next frame whether the last one was decoded or not.
 */
export const backgroundNiceness = 5;

/** Gives this thread, and every thread that it starts from now on, at least that niceness. Needs no privilege. */
export const yieldProcessor = (): void => {
  if (getPriority() < backgroundNiceness) setPriority(backgroundNiceness);
};

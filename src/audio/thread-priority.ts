import { getPriority } from 'node:os';
import { type Addon, loadAddon } from './addon.js';

/**
 * Length in microseconds of the time slices that a decoding thread requests, the minimum that Linux accepts. If two
 * threads wake at once, Linux first runs the thread with the shorter slice.
 */
const slice = 100;

/** Returns the addon; undefined if the native core is not in use. `loadCore` reports why the addon does not load. */
const addonFor = (preference: 'auto' | 'native' | 'portable'): Addon | undefined => {
  if (preference === 'portable') return undefined;
  try {
    return loadAddon().addon;
  } catch {
    return undefined;
  }
};

/**
 * Raises the priority of the calling thread. If the process may not lower the thread's niceness, only shortens its time
 * slices. Works only on Linux and with the native core.
 * @param preference as for `loadCore`.
 * @param niceness from -20 to 19. A thread with a lower niceness gets more processor time.
 * @returns the niceness of the thread afterwards.
 */
export const raiseThreadPriority = (preference: 'auto' | 'native' | 'portable', niceness: number): number => {
  const addon = addonFor(preference);
  if (addon?.setThreadNiceness(niceness, slice) === false) addon.setThreadNiceness(getPriority(), slice);
  return getPriority();
};

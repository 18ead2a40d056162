import { getPriority } from 'node:os';
import { type Addon, loadAddon } from './addon.js';

/**
 * Microseconds for which a thread that decodes asks to run at a time; the shortest that Linux accepts. Of two threads that
 * wake at once, the one that asks for less runs first.
 */
const slice = 100;

/** The addon; undefined where the native core is not in use. Why it does not load is told by `loadCore`. */
const addonFor = (preference: 'auto' | 'native' | 'portable'): Addon | undefined => {
  if (preference === 'portable') return undefined;
  try {
    return loadAddon().addon;
  } catch {
    return undefined;
  }
};

/**
 * Gives the calling thread the processor before others that want it at the same time. Where the process may not lower the
 * thread's niceness, only its slice is shortened. Linux and the native core only.
 * @param preference as for `loadCore`.
 * @param niceness from -20 to 19; the lower it is, the more of the processor the thread gets.
 * @returns the niceness of the thread afterwards.
 */
export const raiseThreadPriority = (preference: 'auto' | 'native' | 'portable', niceness: number): number => {
  const addon = addonFor(preference);
  if (addon?.setThreadNiceness(niceness, slice) === false) addon.setThreadNiceness(getPriority(), slice);
  return getPriority();
};

import type { FrameCopier } from '../ring/index.js';
import { loadAddon } from './addon.js';

/**
 * Returns the native function that copies frames into a ring.
 * @param preference as for `loadCore`.
 * @returns undefined if the native core is not in use. The ring then copies in JavaScript.
 */
export const loadFrameCopier = (preference: 'auto' | 'native' | 'portable'): FrameCopier | undefined => {
  if (preference === 'portable') return undefined;
  try {
    return loadAddon().addon.copyFrame;
  } catch {
    // No log line is needed, because the shards' `loadCore` logs once why the addon does not load.
    return undefined;
  }
};

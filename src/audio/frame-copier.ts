import type { FrameCopier } from '../ring/index.js';
import { loadAddon } from './addon.js';

/**
 * The native copier of frames into a ring, for the listener.
 * @param preference as for `loadCore`.
 * @returns undefined if the native core is not in use: the ring then copies through a view.
 */
export const loadFrameCopier = (preference: 'auto' | 'native' | 'portable'): FrameCopier | undefined => {
  if (preference === 'portable') return undefined;
  try {
    return loadAddon().addon.copyFrame;
  } catch {
    // The shards' `loadCore` reports once why the addon does not load.
    return undefined;
  }
};

import type { Settings } from '../config/settings.js';
import { CochleaError } from '../errors/index.js';
import { loadUws, type UwsBuild } from './uws/build.js';

/** Which library listens, and the reason in words for an operator. */
export interface ListenerChoice {
  /** The build of uWebSockets.js that listens; null when ws on `node:http` does. */
  readonly uws: UwsBuild | null;
  readonly why: string;
}

/**
 * Chooses as `COCHLEA_LISTENER` asks: with `auto` uWebSockets.js where a build of it loads, else ws on `node:http`. Opens nothing.
 * @throws CochleaError setting_invalid where the setting asks for a build that does not load here.
 */
export const chooseListener = (wanted: Settings['listener']): ListenerChoice => {
  if (wanted === 'ws') return { uws: null, why: 'COCHLEA_LISTENER=ws' };
  const loaded = loadUws();
  if (typeof loaded !== 'string') {
    return { uws: loaded, why: wanted === 'uws' ? 'COCHLEA_LISTENER=uws' : 'a build of it loads here' };
  }
  if (wanted === 'auto') return { uws: null, why: `no build of uWebSockets.js loads here (${loaded})` };
  const why = `no build of uWebSockets.js loads here (${loaded}); auto or ws takes ws`;
  throw new CochleaError('setting_invalid', { name: 'COCHLEA_LISTENER', why });
};

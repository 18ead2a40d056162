import type { Settings } from '../config/settings.js';
import { CochleaError } from '../errors/index.js';
import type { Logger } from '../log/index.js';
import type { ListenerApp } from './listener.js';
import { createNodeApp } from './node/app.js';
import { createUwsApp } from './uws/app.js';
import { loadUws, type UwsBuild } from './uws/build.js';

/** A listener that is open and has no routes yet: it closes every connection that sends a request. */
export interface Listener {
  readonly app: ListenerApp;
  readonly port: number;
  /** Ends it and its connections; a second call does nothing. */
  close(): void;
}

interface Choice {
  /** Null: ws. */
  readonly uws: UwsBuild | null;
  readonly why: string;
}

/** @throws CochleaError setting_invalid where the setting asks for a build that does not load here. */
const choose = (wanted: Settings['listener']): Choice => {
  if (wanted === 'ws') return { uws: null, why: 'COCHLEA_LISTENER=ws' };
  const loaded = loadUws();
  if (typeof loaded !== 'string') {
    return { uws: loaded, why: wanted === 'uws' ? 'COCHLEA_LISTENER=uws' : 'a build of it loads here' };
  }
  if (wanted === 'auto') return { uws: null, why: `no build of uWebSockets.js loads here (${loaded})` };
  const why = `no build of uWebSockets.js loads here (${loaded}); auto or ws takes ws`;
  throw new CochleaError('setting_invalid', { name: 'COCHLEA_LISTENER', why });
};

/**
 * Makes the listener that `COCHLEA_LISTENER` asks for: with `auto` uWebSockets.js where a build of it loads, else ws on
 * `node:http`. Logs which, and why.
 * @throws CochleaError setting_invalid, internal.
 */
export const createListenerApp = async (settings: Settings, log: Logger): Promise<ListenerApp> => {
  const { uws, why } = choose(settings.listener);
  const app = uws === null ? createNodeApp(settings, log) : await createUwsApp(uws, settings, log);
  log.info({ listener: app.kind, build: app.build, why }, 'listener chosen');
  return app;
};

/**
 * Opens the listener before anything else, for a process that gives its privileges up afterwards.
 * @throws CochleaError port_taken, setting_invalid, internal.
 */
export const openListener = async (settings: Settings, log: Logger): Promise<Listener> => {
  const app = await createListenerApp(settings, log);
  try {
    const port = await app.listen();
    return { app, port, close: () => app.close() };
  } catch (thrown) {
    app.close();
    throw thrown;
  }
};

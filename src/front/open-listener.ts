import type { Settings } from '../config/index.js';
import type { Logger } from '../log/index.js';
import { chooseListener } from './choose-listener.js';
import type { ListenerApp } from './listener/index.js';
import { createNodeApp } from './node/index.js';
import { createUwsApp, type RefusedBuild } from './uws/index.js';

/** The chosen listener, and the builds of uWebSockets.js that were tried and rejected before. */
export interface ChosenListener {
  readonly app: ListenerApp;
  readonly refused: readonly RefusedBuild[];
}

/** An open listener without routes. It closes every connection that sends a request. */
export interface Listener extends ChosenListener {
  readonly port: number;
  /** Closes the listener and its connections. A second call does nothing. */
  close(): void;
}

/**
 * Creates the listener for `COCHLEA_LISTENER`. `auto` uses uWebSockets.js if a build of it loads and passes its
 * self-test, otherwise ws on `node:http`. Logs the choice and its reason.
 * @throws CochleaError setting_invalid, internal.
 */
export const createListenerApp = async (settings: Settings, log: Logger): Promise<ChosenListener> => {
  const { uws, why, refused } = await chooseListener(settings, log);
  const app = uws === null ? createNodeApp(settings, log) : await createUwsApp(uws, settings, log);
  log.info({ listener: app.kind, build: app.build, why }, 'listener chosen');
  if (settings.listener === 'uws-untested') {
    log.warn(
      { build: app.build },
      'the listener was not tested: it may leave legal requests without an answer',
    );
  }
  return { app, refused };
};

/**
 * Opens the listener before the rest of the engine starts. Needed by a process that drops its privileges afterwards.
 * @throws CochleaError port_taken, setting_invalid, internal.
 */
export const openListener = async (settings: Settings, log: Logger): Promise<Listener> => {
  const { app, refused } = await createListenerApp(settings, log);
  try {
    const port = await app.listen();
    return { app, refused, port, close: () => app.close() };
  } catch (thrown) {
    app.close();
    throw thrown;
  }
};

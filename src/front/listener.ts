import uws from 'uWebSockets.js';
import { type AddressInfo, createServer } from 'node:net';
import type { Settings } from '../config/settings.js';
import { CochleaError } from '../errors/index.js';
import { listenError } from '../errors/listen-error.js';
import type { ClosableApp } from './socket-upgrade.js';

/** A listener that is open and has no routes yet: it closes every connection that sends a request. */
export interface Listener {
  readonly app: uws.TemplatedApp;
  readonly port: number;
  /** Ends it and its connections; a second call does nothing. */
  close(): void;
}

/**
 * Finds out whether a port is taken already, with a listener of Node's that is closed again.
 *
 * The exclusive flag of the installed build cannot be used for this: it leaves out SO_REUSEADDR, and so does port 0.
 * An engine that dies with open connections would then find its own port "taken" for a minute, while the kernel
 * remembers them. Node's sockets set it, and not SO_REUSEPORT, so they collide with live listeners only.
 * @returns the port, or a free one for 0.
 * @throws CochleaError port_taken, setting_invalid.
 */
const freePort = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      reject(listenError(error, { port, host, setting: 'PORT' }));
    });
    probe.listen({ host, port, exclusive: true }, () => {
      const found = (probe.address() as AddressInfo).port;
      probe.close(() => resolve(found));
    });
  });

/**
 * An application without routes, which speaks TLS where a certificate is set. The files themselves are checked beforehand,
 * where the process starts.
 * @throws CochleaError setting_invalid.
 */
export const createListenerApp = ({ tlsCert, tlsKey }: Settings): uws.TemplatedApp => {
  if (tlsCert === '') return uws.App();
  try {
    return uws.SSLApp({ cert_file_name: tlsCert, key_file_name: tlsKey });
  } catch (cause) {
    const why = 'the listener cannot use it together with TLS_KEY';
    throw new CochleaError('setting_invalid', { name: 'TLS_CERT', why }, { cause });
  }
};

/**
 * Has an application listen where the settings say.
 * @returns the port.
 * @throws CochleaError port_taken, setting_invalid.
 */
export const listen = async (app: uws.TemplatedApp, settings: Settings): Promise<number> => {
  const { host, engineProcesses } = settings;
  // Without a look first two engines would share a port silently, each getting half of the connections.
  const port = engineProcesses === 1 ? await freePort(host, settings.port) : settings.port;
  const socket = await new Promise<uws.us_listen_socket | false>((resolve) => {
    app.listen(host, port, resolve);
  });
  if (socket === false) throw new CochleaError('port_taken', { port, host, setting: 'PORT' });
  return uws.us_socket_local_port(socket as unknown as uws.us_socket);
};

/**
 * Opens the listener before anything else, for a process that gives its privileges up afterwards.
 * @throws CochleaError port_taken, setting_invalid.
 */
export const openListener = async (settings: Settings): Promise<Listener> => {
  const app = createListenerApp(settings);
  const port = await listen(app, settings);
  let open = true;
  return {
    app,
    port,
    close() {
      if (open) (app as ClosableApp).close();
      open = false;
    },
  };
};

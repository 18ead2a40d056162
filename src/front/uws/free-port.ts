import { type AddressInfo, createServer } from 'node:net';
import { listenError } from '../../errors/index.js';

/**
 * Finds out whether a port is taken already, with a listener of Node's that is closed again.
 *
 * The library's exclusive flag cannot be used for this: the older build leaves out SO_REUSEADDR with it, and so does port 0.
 * An engine that dies with open connections would then find its own port "taken" for a minute, while the kernel
 * remembers them. Node's sockets set it, and not SO_REUSEPORT, so they collide with live listeners only.
 * @returns the port, or a free one for 0.
 * @throws CochleaError port_taken, setting_invalid.
 */
export const freePort = (host: string, port: number): Promise<number> =>
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

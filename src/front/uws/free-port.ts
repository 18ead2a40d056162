import { type AddressInfo, createServer } from 'node:net';
import { listenError } from '../../errors/index.js';

/**
 * Checks whether a port is in use, by opening and closing a listener of Node.
 *
 * The exclusive flag of uWebSockets.js does not work for this purpose. With that flag, and for port 0, the older build
 * omits SO_REUSEADDR. An engine that died with open connections would then find its own port in use for a minute, until
 * the kernel removes those connections. Node's sockets set SO_REUSEADDR but not SO_REUSEPORT, so they collide only with
 * live listeners.
 * @returns the port, or a free port for 0.
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

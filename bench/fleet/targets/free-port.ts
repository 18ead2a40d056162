import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/**
 * Ports outside the range from which systems assign free ports, because two listeners of uWebSockets.js would share a
 * port without an error. Random, because several processes look for ports at the same time.
 */
const range = { from: 12_000, to: 32_000 };
const tries = 50;

/**
 * Returns a port of the loopback interface that was free a moment ago. The system does not assign it to programs that
 * ask for
 * any port.
 */
export const freePort = (): Promise<number> =>
  getPort({ host: '127.0.0.1', port: Array.from({ length: tries }, () => randomInt(range.from, range.to)) });

import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/**
 * Range of ports to try. Systems assign higher ports to programs that ask for any port. Two listeners of uWebSockets.js
 * would share such a port without an error.
 */
const range = { from: 12_000, to: 32_000 };
const tries = 50;

/**
 * Returns a port of the loopback interface that was free at the time of the test. Tries random ports, because several
 * processes look for ports at the same time.
 */
export const freePort = (): Promise<number> =>
  getPort({ host: '127.0.0.1', port: Array.from({ length: tries }, () => randomInt(range.from, range.to)) });

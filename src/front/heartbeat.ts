import type { Settings } from '../config/index.js';
import { CochleaError } from '../errors/index.js';
import { ringAge, ringClock } from '../ring/index.js';
import { type Connection, ConnectionState } from './streams/index.js';

const ping = ['ping'];
const coarsest = 1000;
const finest = 20;

/**
 * Checks every socket periodically. Sends the text `ping` every `heartbeatInterval` ms. Closes a silent socket with
 * code 1001, and a socket whose token has expired with code 4001. If a socket does not authenticate within
 * `webAuthTimeout` after the upgrade, closes it with code 1008. Messages other than the auth message do not extend that
 * time.
 * @param wall the wall clock for token expiry, in ms.
 * @returns a function that stops the checks.
 */
export const startHeartbeat = (
  connections: ReadonlySet<Connection>,
  settings: Settings,
  wall: () => number = Date.now,
): (() => void) => {
  const { heartbeatInterval, idleTimeout, webAuthTimeout } = settings;
  const shortest = Math.min(heartbeatInterval, idleTimeout, webAuthTimeout);
  const period = Math.max(finest, Math.min(coarsest, Math.floor(shortest / 10)));
  const refusalOf = (connection: Connection, now: number, wallNow: number): CochleaError | null => {
    if (connection.state === ConnectionState.authenticating) {
      if (ringAge(connection.openedAt, now) < webAuthTimeout) return null;
      // The client sent its auth message in time, but the check of its token takes too long.
      return connection.verifying
        ? new CochleaError('auth_unavailable')
        : new CochleaError('web_auth_timeout', { seconds: webAuthTimeout / 1000 });
    }
    // While a new token is being checked, the socket stays open. A timeout bounds the check.
    if (wallNow >= connection.expiresAt && !connection.verifying) return new CochleaError('token_expired');
    if (ringAge(connection.lastActivity, now) < idleTimeout) return null;
    return new CochleaError('idle', { seconds: idleTimeout / 1000 });
  };
  const look = (connection: Connection, now: number, wallNow: number): void => {
    const refusal = refusalOf(connection, now, wallNow);
    if (refusal !== null) {
      connection.refuse(refusal);
    } else if (
      connection.state === ConnectionState.open &&
      ringAge(connection.lastPing, now) >= heartbeatInterval
    ) {
      connection.lastPing = now;
      connection.send(ping);
    }
  };
  const timer = setInterval(() => {
    const now = ringClock();
    const wallNow = wall();
    for (const connection of connections) look(connection, now, wallNow);
  }, period);
  return () => clearInterval(timer);
};

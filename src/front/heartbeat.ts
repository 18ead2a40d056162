import type { Settings } from '../config/settings.js';
import { CochleaError } from '../errors/index.js';
import { ringAge, ringClock } from '../ring/index.js';
import { type Connection, ConnectionState } from './connection.js';

const ping = ['ping'];
const coarsest = 1000;
const finest = 20;

/**
 * Looks after every socket with one coarse timer: sends the text `ping` when one is due, closes 1001 what has been
 * silent for too long, and 1008 what never authenticated.
 * @returns a function that stops it.
 */
export const startHeartbeat = (connections: ReadonlySet<Connection>, settings: Settings): (() => void) => {
  const { heartbeatInterval, idleTimeout, webAuthTimeout } = settings;
  const shortest = Math.min(heartbeatInterval, idleTimeout, webAuthTimeout);
  const period = Math.max(finest, Math.min(coarsest, Math.floor(shortest / 10)));
  const look = (connection: Connection, now: number): void => {
    const quiet = ringAge(connection.lastActivity, now);
    if (connection.state === ConnectionState.authenticating) {
      if (!connection.verifying && quiet >= webAuthTimeout) {
        connection.refuse(new CochleaError('web_auth_timeout'));
      }
      return;
    }
    if (quiet >= idleTimeout) {
      connection.refuse(new CochleaError('idle'));
    } else if (ringAge(connection.lastPing, now) >= heartbeatInterval) {
      connection.lastPing = now;
      connection.send(ping);
    }
  };
  const timer = setInterval(() => {
    const now = ringClock();
    for (const connection of connections) look(connection, now);
  }, period);
  return () => clearInterval(timer);
};

import type { Socket } from 'node:net';
import { nodeLimits } from './limits.js';

/**
 * Ends a connection after its pending output, and continues to read for a while. Closing it while bytes of the client
 * are unread would reset the connection. The reset may overtake the last bytes to the client.
 */
export const endGently = (socket: Socket): void => {
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), nodeLimits.lingering);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
};

import type { Socket } from 'node:net';
import { nodeLimits } from './limits.js';

/**
 * Ends a connection after its pending output, and continues to read for a while. If the connection closed while bytes
 * of the client were unread, it would be reset. The client could then lose the last bytes of the output.
 */
export const endGently = (socket: Socket): void => {
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), nodeLimits.lingering);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
};

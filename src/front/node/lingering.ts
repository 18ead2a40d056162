import type { Socket } from 'node:net';
import { nodeLimits } from './limits.js';

/**
 * Ends a connection after what was written to it, and goes on reading for a while. To close it while bytes of the client are
 * unread would reset it, and the reset may overtake the last bytes on their way to the client.
 */
export const endGently = (socket: Socket): void => {
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), nodeLimits.lingering);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
};

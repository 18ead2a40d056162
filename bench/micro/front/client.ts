import { once } from 'node:events';
import { WebSocket } from 'ws';

/**
 * The process of the wearables in the benchmark of the front. Each wearable sends its frames, then waits until the
 * listener has received them.
 */
const [origin, sockets, frames, bytes] = process.argv.slice(2) as [string, string, string, string];
const payload = Buffer.alloc(Number(bytes), 7);
const clients = await Promise.all(
  Array.from({ length: Number(sockets) }, async (_, index) => {
    const socket = new WebSocket(`ws://${origin}/v4/listen?uid=u${index}&codec=opus&sample_rate=16000`);
    await once(socket, 'open');
    return socket;
  }),
);
process.on('message', async () => {
  for (let sent = 0; sent < Number(frames); sent++) {
    for (const socket of clients) socket.send(payload);
    if (clients.some(({ bufferedAmount }) => bufferedAmount > 65_536)) await new Promise(setImmediate);
  }
});
process.once('disconnect', () => process.exit(0));
process.send!('open');

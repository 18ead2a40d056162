import { parentPort } from 'node:worker_threads';

/**
 * Counts frames that arrive as messages. When a message is a number, answers with the number of frames since the last
 * answer.
 */
const port = parentPort!;
let taken = 0;
port.on('message', (message: Uint8Array | number | 'end') => {
  if (typeof message === 'number') {
    port.postMessage(taken);
    taken = 0;
  } else if (message === 'end') port.close();
  else taken += message.length > 0 ? 1 : 0;
});

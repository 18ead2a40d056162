import { parentPort } from 'node:worker_threads';

/** Takes frames that come as messages, and answers a number with itself once that many frames have come. */
const port = parentPort!;
let taken = 0;
port.on('message', (message: Uint8Array | number | 'end') => {
  if (typeof message === 'number') {
    port.postMessage(taken);
    taken = 0;
  } else if (message === 'end') port.close();
  else taken += message.length > 0 ? 1 : 0;
});

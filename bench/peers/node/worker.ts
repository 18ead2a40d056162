/** Entry point of one worker thread of the server. The thread processes its streams in one `Line`. */
import { parentPort, workerData } from 'node:worker_threads';
import { Counters } from './counters.js';
import { Line, type Stream } from './line.js';
import { unpack } from './outbox.js';
import type { ToWorker } from './worker-pool.js';

const { memory } = workerData as { memory: SharedArrayBuffer };
const line = await Line.open(new Counters(memory), false);
const streams = new Map<number, Stream>();

parentPort!.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'open':
      streams.set(message.id, line.stream(message.codec, message.sampleRate));
      break;
    case 'frames':
      unpack(message.batch, (id, frame, arrivedAt) => streams.get(id)?.push(frame, arrivedAt));
      break;
    case 'close':
      streams.get(message.id)?.close();
      streams.delete(message.id);
      break;
  }
});
parentPort!.postMessage('ready');

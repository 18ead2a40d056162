import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { RingConsumer } from '../../src/ring/ring.js';
import { threadCpu } from './clock.js';

/**
 * When the reader sleeps. `eager` sleeps only if the ring is empty. `shard` also pauses after each batch of frames, as the
 * loop of a shard does.
 */
export type Waiting = 'eager' | 'shard';

export interface ConsumerData {
  readonly ring: SharedArrayBuffer;
  readonly waiting: Waiting;
}

/** Answer after the requested number of records. */
export interface Taken {
  /** CPU time of this thread in ns; undefined if the system does not report it. */
  readonly cpu: number | undefined;
  /** Number of times that this thread slept. */
  readonly sleeps: number;
}

/** Ms for which a shard lets records accumulate before it reads them; see src/engine/shard/shard.ts. */
const gather = 4;
/** Maximum ms that a shard sleeps; see src/engine/shard/shard.ts. */
const idle = 10;

const { ring, waiting } = workerData as ConsumerData;
const consumer = new RingConsumer(ring);
let taken = 0;
const visit = (): void => {
  taken++;
};

const take = async (wanted: number): Promise<Taken> => {
  const before = threadCpu();
  let sleeps = 0;
  taken = 0;
  while (taken < wanted) {
    const visited = consumer.drain(visit);
    consumer.release();
    if (taken >= wanted) break;
    if (visited === 0) {
      sleeps++;
      await consumer.wait(idle);
    } else if (waiting === 'shard') await delay(gather);
    if (waiting === 'shard') await nextTurn();
  }
  const after = threadCpu();
  return { cpu: before === undefined || after === undefined ? undefined : after - before, sleeps };
};

const port: MessagePort = parentPort!;
port.on('message', async (wanted: number | 'end') => {
  if (wanted === 'end') port.close();
  else port.postMessage(await take(wanted));
});

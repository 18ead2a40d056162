import { parentPort, workerData } from 'node:worker_threads';
import { RecordKind } from '../../../src/ring/layout.js';
import { RingConsumer } from '../../../src/ring/ring.js';

/**
 * A thread that only reads the ring and replaces a shard. At a drain record, it reports the number of records and how
 * often it slept.
 */
const { ring, port } = workerData as { ring: SharedArrayBuffer; port?: { close(): void } };
const consumer = new RingConsumer(ring);
let records = 0;
let waits = 0;
let done = false;
const visit = (kind: number): boolean => {
  done = kind === RecordKind.drain;
  records++;
  return !done;
};
while (!done) {
  consumer.beat();
  const visited = consumer.drain(visit);
  consumer.release();
  if (!done && visited === 0) {
    waits++;
    await consumer.wait(10);
  }
}
port?.close();
parentPort!.postMessage({ records: records - 1, waits });

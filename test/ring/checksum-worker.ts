import { parentPort, workerData } from 'node:worker_threads';
import { RecordKind } from '../../src/ring/layout.js';
import { RingConsumer } from '../../src/ring/ring.js';

/** Reads a ring until a drain record. Reports the number of records, and a checksum over order, slots and bytes. */
const { ring } = workerData as { ring: SharedArrayBuffer };
const consumer = new RingConsumer(ring);
let records = 0;
let checksum = 0;
let waits = 0;
let done = false;
while (!done) {
  consumer.drain((kind, slot, offset, length) => {
    if (kind === RecordKind.drain) {
      done = true;
      return false;
    }
    records++;
    checksum = (Math.imul(checksum, 31) + slot) >>> 0;
    for (let index = offset; index < offset + length; index++) {
      checksum = (Math.imul(checksum, 31) + consumer.data[index]!) >>> 0;
    }
    return true;
  });
  consumer.release();
  if (!done) {
    waits++;
    await consumer.wait(10);
  }
}
parentPort!.postMessage({ records, checksum, waits });

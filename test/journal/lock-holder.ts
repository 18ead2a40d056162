/** A thread that stops in the middle of a write to an LMDB environment. It continues on command. */
import { parentPort, workerData } from 'node:worker_threads';
import { open } from 'lmdb';

const { path, gate } = workerData as { path: string; gate: SharedArrayBuffer };
const database = open({
  path,
  noSubdir: false,
  encoding: 'binary',
  keyEncoding: 'uint32',
  overlappingSync: false,
});
database.transactionSync(() => {
  parentPort!.postMessage('holding');
  Atomics.wait(new Int32Array(gate), 0, 0);
});
await database.close();

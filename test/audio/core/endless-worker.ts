/** Calls its core in an endless loop, so that terminating this thread interrupts a call inside the addon. */
import { parentPort } from 'node:worker_threads';
import { Bench, coreKinds } from '../support.js';

const bench = await Bench.open(coreKinds.find(({ name }) => name === 'native')!);
bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
parentPort!.postMessage('asking');
for (;;) bench.core.status(0);

/** Plays the fixture speech on a core in its own thread and reports the number of utterances. */
import { parentPort, workerData } from 'node:worker_threads';
import { Bench, bytesOf, coreKinds, cut, speech } from '../support.js';

const kind = coreKinds.find(({ name }) => name === workerData)!;
const bench = await Bench.open(kind);
bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
await bench.play(0, cut(bytesOf(speech.slice(0, 200_000)), 640));
parentPort!.postMessage(bench.of(0).length);
bench.core.destroy();

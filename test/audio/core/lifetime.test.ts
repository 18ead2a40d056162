/** Tests that streams free all their resources. */
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { Bench, coreKinds, encodeOpus, native, speech, withoutNative } from '../support.js';

if (withoutNative) t.pass('the native core', { skip: withoutNative });

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns the resident memory in bytes after a garbage collection. The result then does not depend on V8's timing. */
const residentAfterCollection = (): number => {
  collect();
  collect();
  return process.memoryUsage().rss;
};

for (const kind of coreKinds) {
  void t.test(`${kind.name}: opening, speaking and closing repeatedly needs no more memory`, async (t) => {
    const bench = await Bench.open(kind);
    const packets = encodeOpus(speech.slice(16_000, 48_000), 16_000, 1, 20);
    const cycle = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const handle = i % 64;
        bench.core.open(handle, { codec: 'opus', sampleRate: 16_000, channels: 1 });
        bench.push(packets.slice(0, 10).map((packet) => [handle, packet] as const));
        bench.now += 20;
        // Some streams are closed with undecoded audio, others are finished.
        if (i % 3 === 0) await bench.turn(true);
        if (i % 5 === 0) await bench.flush(handle);
        bench.core.close(handle);
        // The codecs alternate, because memory that a codec allocates itself must be freed too.
        const codec = codecs[i % codecs.length]!;
        bench.core.open(handle, { codec, sampleRate: 16_000, channels: 1 });
        bench.push([[handle, packets[0]!]]);
        bench.core.close(handle);
      }
    };
    const { codecs } = bench.core.capabilities;
    await cycle(1500);
    const before = residentAfterCollection();
    await cycle(1500);
    const grown = residentAfterCollection() - before;
    // A leak of the decoders alone would take 27 MB.
    t.comment(`${Math.round(grown / 1e5) / 10} MB more`);
    t.ok(grown < 15e6, `${Math.round(grown / 1e5) / 10} MB more after 1,500 streams`);
    bench.core.destroy();
  });
}

if ('addon' in native) {
  void t.test('native: terminating a thread inside its core does not end the process', async (t) => {
    for (let round = 0; round < 12; round++) {
      const worker = new Worker(new URL('./endless-worker.js', import.meta.url));
      await once(worker, 'message');
      // If the addon threw during shutdown, the process would end here.
      await worker.terminate();
    }
    t.pass('this process still runs');
  });
}

for (const kind of coreKinds) {
  void t.test(`${kind.name}: each thread has its own core`, async (t) => {
    for (let round = 0; round < 2; round++) {
      const counts = await Promise.all(
        [0, 1, 2].map(async () => {
          const worker = new Worker(new URL('./core-worker.js', import.meta.url), { workerData: kind.name });
          // Waits for both events together, because they can occur in the same turn of the event loop.
          const [[count]] = (await Promise.all([once(worker, 'message'), once(worker, 'exit')])) as [
            [number],
            unknown,
          ];
          return count;
        }),
      );
      t.same(counts, [2, 2, 2]);
    }
  });

  void t.test(`${kind.name}: a destroyed core reports it instead of crashing`, async (t) => {
    const bench = await Bench.open(kind);
    bench.core.open(0, { codec: 'pcm16', sampleRate: 16_000, channels: 1 });
    bench.core.destroy();
    bench.core.destroy();
    bench.core.close(0);
    if (kind.name === 'native') t.throws(() => bench.core.turn(0, true), /destroyed/);
    t.pass('closing late is harmless');
  });
}

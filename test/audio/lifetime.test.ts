/** What streams hold they give back. */
import t from 'tap';
import { Bench, coreKinds, encodeOpus, native, speech } from './support.js';

if (!('addon' in native)) t.comment(`the native core is not tested: ${native.missing}`);

for (const kind of coreKinds) {
  void t.test(`${kind.name}: opening, speaking and closing over and over holds no more memory`, async (t) => {
    const bench = await Bench.open(kind);
    const packets = encodeOpus(speech.slice(16_000, 48_000), 16_000, 1, 20);
    const cycle = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const handle = i % 64;
        bench.core.open(handle, { codec: 'opus', sampleRate: 16_000, channels: 1 });
        bench.push(packets.slice(0, 10).map((packet) => [handle, packet] as const));
        bench.now += 20;
        // Some are closed with audio undecoded, some finished.
        if (i % 3 === 0) await bench.turn(true);
        if (i % 5 === 0) await bench.flush(handle);
        bench.core.close(handle);
      }
    };
    await cycle(400);
    const before = process.memoryUsage().rss;
    await cycle(1500);
    const grown = process.memoryUsage().rss - before;
    // A leaked decoder alone would be 27 MB.
    t.ok(grown < 20e6, `${Math.round(grown / 1e5) / 10} MB more after 1,500 streams`);
    bench.core.destroy();
  });
}

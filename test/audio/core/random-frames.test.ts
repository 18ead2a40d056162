/** Feeds random bytes of every length to every codec. No core may crash, and invalid frames are counted. */
import t from 'tap';
import type { Codec } from '../../../src/wire/stream.js';
import { Bench, coreKinds, encodeOpus, seededNoise, speech, withoutNative } from '../support.js';

if (withoutNative) t.pass('the native core', { skip: withoutNative });

const longest = 65_536;
const codecs: readonly Codec[] = ['pcm8', 'pcm16', 'opus', 'opus_fs320'];

for (const kind of coreKinds) {
  // The portable core copies each frame into JavaScript's heap. It receives every length up to 2 KiB, and then every 61st.
  const step = (length: number) => (kind.name === 'native' || length < 2048 ? 1 : 61);
  void t.test(kind.name, async (t) => {
    for (const [c, codec] of codecs.entries()) {
      const noise = seededNoise(c + 1);
      const memory = Uint8Array.from({ length: 2 * longest }, () => (noise() + 1) * 128);
      const bench = await Bench.open(kind, { memory });
      bench.core.open(0, { codec, sampleRate: c % 2 === 0 ? 16_000 : 48_000, channels: c % 2 === 0 ? 1 : 2 });
      let pushed = 0;
      for (let length = 0; length <= longest; length += step(length)) {
        const offset = Math.floor(((noise() + 1) / 2) * (memory.length - length));
        bench.core.push(Uint32Array.of(0, offset, length, bench.now), 1, bench.now);
        pushed++;
        if (pushed % 256 === 0) {
          bench.now += 20;
          await bench.turn();
        }
      }
      await bench.flush(0);
      const { framesDecoded, framesDropped, framesInvalid, bytes } = bench.core.status(0);
      t.equal(
        framesDecoded + framesDropped + framesInvalid,
        pushed,
        `${codec}: every frame is accounted for`,
      );
      t.ok(framesInvalid > 0, `${codec}: ${framesInvalid} of ${pushed} invalid`);
      t.ok(bytes < 200 * 1024, `${codec}: ${bytes} bytes held`);

      // The stream still processes audio.
      const { position } = bench.core.status(0);
      if (codec.startsWith('opus')) {
        for (const packet of encodeOpus(speech.slice(0, 16_000), 16_000, 1, 20)) {
          memory.set(packet, 0);
          bench.core.push(Uint32Array.of(0, 0, packet.length, bench.now), 1, bench.now);
        }
      } else {
        bench.core.push(Uint32Array.of(0, 0, codec === 'pcm8' ? 16_000 : 64_000, bench.now), 1, bench.now);
      }
      await bench.flush(0);
      t.ok(bench.core.status(0).position > position, `${codec}: and goes on`);
      bench.core.destroy();
    }
  });
}

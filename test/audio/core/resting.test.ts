/** The native core finds the same speech if it does not decode frames that are surely silent. */
import { Encoder } from '@evan/opus';
import t from 'tap';
import { materialOf } from '../../../bench/packets/materials.js';
import { Bench, coreKinds, withoutNative } from '../support.js';

const seconds = 600;
const frame = 320;
/**
 * Minimum share of this material's frames that the core must leave undecoded. Measured: 0.46 with SILK, 0.40 with CELT.
 */
const leastSkipped = 0.38;
/** Greatest difference between two starts of the same speech that counts as equal, in samples at 16 kHz: one window. */
const near = 512;
/** Audio before speech that an utterance contains, in samples. */
const preRoll = 4800;

const encoded = (pcm: Int16Array, application: 'voip' | 'restricted_lowdelay'): Uint8Array[] => {
  const encoder = new Encoder({ channels: 1, sample_rate: 16_000, application });
  encoder.bitrate = 24_000;
  const packets: Uint8Array[] = [];
  for (let at = 0; at + frame <= pcm.length; at += frame)
    packets.push(encoder.encode(pcm.slice(at, at + frame)).slice());
  return packets;
};

t.test('frames that are surely silent', { skip: withoutNative, timeout: 120_000 }, async (t) => {
  const native = coreKinds.find(({ name }) => name === 'native')!;
  const pcm = await materialOf('wearer day', seconds);
  const played = async (packets: readonly Uint8Array[], rests: boolean) => {
    const bench = await Bench.open(native, { rests });
    bench.core.open(0, { codec: 'opus', sampleRate: 16_000, channels: 1 });
    await bench.play(0, packets);
    return { bench, status: bench.core.status(0), found: bench.of(0) };
  };
  for (const application of ['voip', 'restricted_lowdelay'] as const) {
    await t.test(application, async (t) => {
      const packets = encoded(pcm, application);
      const [whole, resting] = [await played(packets, false), await played(packets, true)];
      const share = resting.status.framesSkipped / packets.length;
      const apart = whole.found.map(({ speechStart, speechEnd }) => {
        const same = resting.found.filter(
          (one) => one.speechStart < speechEnd && one.speechEnd > speechStart,
        );
        return Math.min(...same.map((one) => Math.abs(one.speechStart - speechStart)));
      });
      const equal = apart.filter((samples) => samples <= near).length / apart.length;
      t.comment(
        `${(100 * share).toFixed(1)} % of the frames skipped; ${whole.found.length} and ${resting.found.length} utterances; ` +
          `${(100 * equal).toFixed(1)} % begin within a window`,
      );
      t.ok(whole.found.length > 20, 'there is much speech');
      t.ok(Math.max(...apart) <= preRoll, 'every utterance is found, and has the begin of its speech');
      t.ok(equal >= 0.96, 'they begin at the same time');
      t.ok(share >= leastSkipped, 'many frames are skipped');
      t.equal(whole.status.framesSkipped, 0);
      t.equal(resting.status.position, whole.status.position);
      t.equal(resting.status.framesDecoded, packets.length);
      t.ok(Math.max(...resting.bench.waits) <= Math.max(...whole.bench.waits), 'no decision is later');
    });
  }
});

import t from 'tap';
import { RecordKind } from '../../../src/ring/layout.js';
import { Harness } from '../support/harness.js';

/** A 10 ms SILK narrow-band packet. The fake codec treats it as 20 ms of silence. */
const coded = Uint8Array.of(0, 0, 0);

const send = (h: Harness, packets: readonly Uint8Array[], every = 20): void => {
  for (const packet of packets) {
    h.record(RecordKind.audio, 0, packet);
    h.clock.now += every;
  }
};

for (const { codec, counted } of [
  { codec: 'opus', counted: 50 },
  { codec: 'pcm8', counted: 51 },
] as const) {
  t.test(`assigns times to small packets at the pace of ${codec}`, async (t) => {
    const h = new Harness();
    await h.open(0, { format: { codec, sampleRate: 8000, channels: 1 } });
    send(h, new Array(10).fill(coded));
    send(h, new Array(40).fill(Uint8Array.of(0)));
    await h.settle();
    h.clock.now += 1000;
    send(h, [Uint8Array.of(0)]);
    await h.settle();
    await h.tick();
    t.equal(h.metric('frames_decoded_total'), counted);
    t.equal(h.metric('keepalives_received_total'), 51 - counted);
    t.equal(h.metric('frames_received_total'), counted - 10, 'the front has counted the larger ones');
  });
}

t.test('assigns times to small packets that a bridge sends in bursts', async (t) => {
  const h = new Harness();
  await h.open(0, { format: { codec: 'opus', sampleRate: 8000, channels: 1 } });
  const bursts = 20;
  const burst = async (packet: Uint8Array): Promise<void> => {
    h.clock.now += 100;
    send(h, new Array(10).fill(packet), 0);
    await h.settle();
  };
  await burst(coded);
  for (let index = 0; index < bursts; index++) await burst(Uint8Array.of(0));
  await burst(coded);
  await h.tick();
  t.equal(h.metric('frames_decoded_total'), 10 * (bursts + 2));
  t.equal(h.metric('frames_queue_dropped_total'), 0);
  const small = h.metric('frames_received_total') + h.metric('keepalives_received_total');
  t.equal(small, 10 * bursts, 'each message counts once');
});

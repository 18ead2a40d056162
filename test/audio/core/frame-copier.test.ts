import t from 'tap';
import { loadAddon } from '../../../src/audio/addon.js';
import { loadFrameCopier } from '../../../src/audio/frame-copier.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { createRing, RingConsumer, RingProducer } from '../../../src/ring/ring.js';

const isBuilt = ((): boolean => {
  try {
    loadAddon();
    return true;
  } catch {
    return false;
  }
})();

t.test('the portable core has no frame copier', async (t) => {
  t.equal(loadFrameCopier('portable'), undefined);
});

t.test(
  'copies complete frames natively, and writes nothing if a frame does not fit',
  { skip: isBuilt ? false : 'the native core has not been built' },
  async (t) => {
    const copy = loadFrameCopier('auto')!;
    const ring = createRing(4096);
    const producer = new RingProducer(ring, copy);
    const consumer = new RingConsumer(ring);
    for (let length = 0; length < 300; length++) {
      const frame = Uint8Array.from({ length }, (_, index) => length + index);
      t.ok(producer.write(RecordKind.audio, length, frame.buffer, 0));
      consumer.drain((_kind, slot, offset, size) => {
        t.equal(slot, length);
        t.same(consumer.data.slice(offset, offset + size), frame);
      });
      consumer.release();
    }
    const target = new Uint8Array(8);
    copy(target, 5, new Uint8Array([1, 2, 3, 4]).buffer);
    copy(target, 9, new Uint8Array([1]).buffer);
    copy(target, 2 ** 32 - 1, new Uint8Array([1]).buffer);
    t.same(target, new Uint8Array(8));
    copy(target, 4, new Uint8Array([1, 2, 3, 4]).buffer);
    t.same(target, Uint8Array.of(0, 0, 0, 0, 1, 2, 3, 4));
  },
);

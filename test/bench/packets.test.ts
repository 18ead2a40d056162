import fc from 'fast-check';
import t from 'tap';
import { cutAdts } from '../../bench/packets/aac-packets.js';
import {
  digest,
  encodeRecipe,
  framePackets,
  indexPackets,
  loadPackets,
  type PacketName,
  readPins,
  recipes,
} from '../../bench/packets/packets.js';

t.test('every recipe has a pinned hash, and every pinned hash has a recipe', async (t) => {
  t.same(Object.keys(readPins()).sort(), Object.keys(recipes).sort());
});

t.test('encoded packets match their pinned hashes', async (t) => {
  for (const name of ['speech', 'speech-8k', 'speech-stereo'] as const satisfies readonly PacketName[]) {
    t.equal(digest(await encodeRecipe(recipes[name])), readPins()[name], name);
  }
});

t.test(
  'the material for rating the engine is wide-band SILK in packets of 20 ms, one frame each',
  async (t) => {
    for (const name of ['speech', 'quiet-day'] as const) {
      const { bytes, offsets, lengths } = await loadPackets(name);
      t.equal(offsets.length * 20, recipes[name].duration * 1000, `${name} is complete`);
      // RFC 6716, section 3.1: configuration 9 is wide-band SILK of 20 ms, code 0 one frame.
      t.ok(
        offsets.every((offset) => bytes[offset]! >> 3 === 9 && (bytes[offset]! & 3) === 0),
        name,
      );
      t.ok(
        lengths.every((length) => length > 2),
        `${name}: no packet of discontinuous transmission`,
      );
    }
  },
);

t.test('with DTX, most packets of a pause have one or two bytes', async (t) => {
  const { lengths } = await loadPackets('quiet-day-dtx');
  t.equal(lengths.length * 20, recipes['quiet-day-dtx'].duration * 1000, 'no packet is left out');
  const short = lengths.filter((length) => length <= 2).length / lengths.length;
  t.ok(short > 0.4 && short < 0.95, `${(100 * short).toFixed(0)} % of the packets`);
});

t.test('a packet file returns the packets that were written', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), (packets) => {
      const { bytes, offsets, lengths } = indexPackets(framePackets(packets));
      const found = Array.from(offsets, (at, i) => bytes.slice(at, at + lengths[i]!));
      return packets.length === found.length && packets.every((p, i) => Buffer.compare(p, found[i]!) === 0);
    }),
  );
  const cutOff = framePackets([Uint8Array.of(1, 2, 3)]).subarray(0, 6);
  t.throws(() => indexPackets(cutOff), { message: /inside a packet/ });
});

t.test('ADTS frames are cut as their headers say', async (t) => {
  const frame = (length: number): Uint8Array => {
    const bytes = new Uint8Array(length);
    bytes.set([
      0xff,
      0xf1,
      0x60,
      0x40 | (length >> 11),
      (length >> 3) & 0xff,
      ((length & 7) << 5) | 0x1f,
      0xfc,
    ]);
    return bytes;
  };
  const cases: readonly [name: string, lengths: number[]][] = [
    ['one', [9]],
    ['header only', [7]],
    ['several', [300, 12, 2000]],
    ['none', []],
  ];
  for (const [name, lengths] of cases) {
    const stream = Buffer.concat(lengths.map(frame));
    t.same(
      cutAdts(stream).map(({ length }) => length),
      lengths,
      name,
    );
  }
  t.throws(() => cutAdts(frame(20).subarray(0, 19)), { message: /cut off/ });
  t.throws(() => cutAdts(new Uint8Array(8)), { message: /must begin/ });
  t.throws(() => cutAdts(frame(5 + 7).fill(0, 3, 6)), { message: /cut off/ }, 'a length below the header');
});

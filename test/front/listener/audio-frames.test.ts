/**
 * The product's own reader parses audio frames instead of ws. Its messages, order and errors must equal those of ws
 * alone, for any split of the input.
 */
import fc from 'fast-check';
import t from 'tap';
import * as ws from 'ws';
import { AudioFrames } from '../../../src/front/node/audio-frames.js';

interface Receiver {
  on(event: string, listener: (...values: never[]) => void): Receiver;
  write(bytes: Buffer): boolean;
}
const { Receiver } = ws as unknown as { Receiver: new (options: object) => Receiver };

const options = { isServer: true, maxPayload: 100_000, maxFragments: 64, maxBufferedChunks: 4096 };

/** Makes a ws receiver whose events are recorded as text. */
const receiverWith = (told: string[]): Receiver => {
  const receiver = new Receiver(options);
  receiver.on('message', (data: Buffer, isBinary: boolean) => {
    told.push(`${isBinary ? 'audio' : 'text'} ${data.toString('latin1')}`);
  });
  receiver.on('ping', (data: Buffer) => void told.push(`ping ${data.toString('latin1')}`));
  receiver.on('pong', (data: Buffer) => void told.push(`pong ${data.toString('latin1')}`));
  receiver.on('conclude', (code: number) => void told.push(`close ${code}`));
  receiver.on('error', (error: Error) => void told.push(`error ${error.message}`));
  return receiver;
};

/** Checks whether a close frame or an error has ended the reading. */
const isOver = (told: readonly string[]): boolean => /^(close|error) /.test(told.at(-1) ?? '');

const alone = async (pieces: readonly Buffer[]): Promise<string[]> => {
  const told: string[] = [];
  const receiver = receiverWith(told);
  for (const piece of pieces) {
    if (!isOver(told)) receiver.write(Buffer.from(piece));
    // ws emits an error in a later turn of the event loop.
    await new Promise(setImmediate);
  }
  return told;
};

const beside = async (pieces: readonly Buffer[]): Promise<{ told: string[]; taken: number }> => {
  const told: string[] = [];
  let taken = 0;
  const receiver = receiverWith(told);
  const frames = new AudioFrames(
    (frame) => {
      taken++;
      told.push(`audio ${Buffer.from(frame).toString('latin1')}`);
      return true;
    },
    (bytes) => void receiver.write(bytes),
  );
  for (const piece of pieces) {
    if (!isOver(told)) frames.read(Buffer.from(piece));
    await new Promise(setImmediate);
  }
  return { told, taken };
};

interface Frame {
  readonly first: number;
  readonly mask: Uint8Array;
  readonly payload: Uint8Array;
  /** Encoding of the length field. It may be longer than necessary. */
  readonly form: 'short' | 'medium' | 'long';
  readonly isMasked: boolean;
}

const bytesOf = ({ first, mask, payload, form, isMasked }: Frame): Buffer => {
  const bit = isMasked ? 0x80 : 0;
  const { length } = payload;
  const medium = Buffer.from([first, bit | 126, length >> 8, length & 0xff]);
  const long = Buffer.from([first, bit | 127, 0, 0, 0, 0, 0, 0, length >> 8, length & 0xff]);
  const head =
    form === 'long' ? long : form === 'medium' || length > 125 ? medium : Buffer.from([first, bit | length]);
  if (!isMasked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ mask[index % 4]!)]);
};

const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
const payload = fc.oneof(
  { weight: 8, arbitrary: fc.uint8Array({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 100, maxLength: 700 }) },
);
const form = fc.constantFrom<Frame['form']>('short', 'short', 'short', 'medium', 'long');
const frameOf = (first: fc.Arbitrary<number>): fc.Arbitrary<Frame> =>
  fc.record({
    first,
    mask,
    // In text frames these bytes are valid UTF-8, wherever they are split.
    payload: payload.map((bytes) => bytes.map((byte) => byte & 0x7f)),
    form,
    isMasked: fc.constant(true),
  });
const audio = fc.record({ first: fc.constant(0x82), mask, payload, form, isMasked: fc.constant(true) });
const control = fc
  .record({ first: fc.constantFrom(0x89, 0x8a), mask, payload: fc.uint8Array({ maxLength: 20 }) })
  .map((frame): Frame => ({ ...frame, form: 'short', isMasked: true }));
/** A message in fragments, with a control frame in between. */
const fragments = fc
  .tuple(
    frameOf(fc.constantFrom(0x01, 0x02)),
    fc.array(frameOf(fc.constant(0x00)), { maxLength: 2 }),
    control,
    frameOf(fc.constant(0x80)),
  )
  .map(([first, middle, between, last]) => [first, ...middle, between, last]);
const wild: fc.Arbitrary<Frame> = fc.record({
  first: fc.integer({ min: 0, max: 255 }),
  mask,
  payload,
  form,
  isMasked: fc.boolean(),
});
const unit: fc.Arbitrary<Frame[]> = fc.oneof(
  { weight: 40, arbitrary: audio.map((frame) => [frame]) },
  { weight: 6, arbitrary: frameOf(fc.constant(0x81)).map((frame) => [frame]) },
  { weight: 6, arbitrary: control.map((frame) => [frame]) },
  { weight: 6, arbitrary: fragments },
  { weight: 1, arbitrary: wild.map((frame) => [frame]) },
);

const pieces = fc
  .tuple(
    fc.array(unit, { minLength: 4, maxLength: 16 }),
    fc.array(fc.nat(), { maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 1 }),
  )
  .map(([frames, cuts, changes]) => {
    const bytes = Buffer.concat(frames.flat().map(bytesOf));
    for (const [at, byte] of changes) if (at % 5 === 0 && bytes.length > 0) bytes[at % bytes.length] = byte;
    const bounds = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
      (one, other) => one - other,
    );
    return bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
  });

t.test('reads any frames like ws alone', async (t) => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(pieces, async (pieces) => {
      const found = await beside(pieces);
      taken += found.taken;
      // Only events before an error are compared, because ws stops at an error.
      const expected = await alone(pieces);
      if (found.told.join('|') !== expected.join('|')) {
        throw new Error(`${found.told.join('|')} instead of ${expected.join('|')}`);
      }
    }),
    { numRuns: 1500 },
  );
  t.ok(taken > 1000, `${taken} frames were read beside ws`);
});

t.test('reads three frames in every split of their bytes', async (t) => {
  const audio = (text: string, form: Frame['form']): Buffer =>
    bytesOf({
      first: 0x82,
      mask: Buffer.from([1, 2, 3, 4]),
      payload: Buffer.from(text),
      form,
      isMasked: true,
    });
  const bytes = Buffer.concat([
    audio('one', 'short'),
    audio('two two', 'medium'),
    audio('x'.repeat(300), 'long'),
    audio('four', 'short'),
  ]);
  const expected = await alone([bytes]);
  t.equal(expected.length, 4);
  for (let at = 1; at < bytes.length; at++) {
    const { told } = await beside([bytes.subarray(0, at), bytes.subarray(at)]);
    if (told.join() !== expected.join()) t.same(told, expected, `split at ${at}`);
  }
  const { told } = await beside([...bytes].map((byte) => Buffer.from([byte])));
  t.same(told, expected, 'byte by byte');
});

t.test('drops bytes after a frame that ends the connection', async (t) => {
  const one = bytesOf({
    first: 0x82,
    mask: Buffer.alloc(4),
    payload: Buffer.from('a'),
    form: 'short',
    isMasked: true,
  });
  let taken = 0;
  const passed: Buffer[] = [];
  const frames = new AudioFrames(
    () => ++taken < 2,
    (bytes) => void passed.push(bytes),
  );
  t.equal(frames.read(Buffer.concat([one, one, one, Buffer.from('rest')])), false);
  t.equal(taken, 2);
  t.same(passed, []);
});

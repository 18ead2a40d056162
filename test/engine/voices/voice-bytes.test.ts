/** Tests the format in which engines hand over the voices of a conversation. */
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { decodeVoices, encodeVoices } from '../../../src/engine/voices/voice-bytes.js';
import { speakerModel } from '../../../src/models/speaker-model.js';
import type { Voice, VoiceState } from '../../../src/transcript/voice-clusters.js';
import { cosine, scaled } from '../../../src/transcript/voice-vectors.js';

const ge2e = { model: 'ge2e', dimensions: 256, rule: speakerModel('ge2e').rule };

const direction = (dimensions: number): fc.Arbitrary<Float32Array> =>
  fc
    .array(fc.integer({ min: -1000, max: 1000 }), { minLength: dimensions, maxLength: dimensions })
    .filter((values) => values.some((value) => value !== 0))
    .map((values) => scaled(Float32Array.from(values)));

const voice = (dimensions: number): fc.Arbitrary<Voice> =>
  fc.record({
    number: fc.nat({ max: 2 ** 31 - 1 }),
    mean: direction(dimensions),
    weight: fc.integer({ min: 1, max: 80 }),
    windows: fc.nat({ max: 100_000 }),
    last: fc.nat({ max: 100_000 }),
  });

const state = (dimensions: number, most = 6): fc.Arbitrary<VoiceState> =>
  fc
    .record({
      voices: fc.uniqueArray(voice(dimensions), { maxLength: most, selector: ({ number }) => number }),
      count: fc.nat({ max: 100_000 }),
    })
    .map(({ voices, count }) => ({
      voices,
      windows: [],
      count,
      next: Math.max(0, ...voices.map(({ number }) => number + 1)),
    }));

const byNumber = (voices: readonly Voice[]): Voice[] =>
  [...voices].sort((one, other) => one.number - other.number);
const withoutMeans = ({ voices, ...rest }: VoiceState) => ({
  ...rest,
  voices: byNumber(voices).map(({ mean: _mean, ...voice }) => voice),
});

t.test('what one engine writes, another one reads', async (t) => {
  fc.assert(
    fc.property(state(ge2e.dimensions), (given) => {
      const bytes = encodeVoices(given, ge2e);
      const read = decodeVoices(bytes, ge2e)!;
      t.strictSame(withoutMeans(read), withoutMeans(given));
      const means = byNumber(read.voices).map(({ mean }) => mean);
      const least = Math.min(
        1,
        ...byNumber(given.voices).map(({ mean }, index) => cosine(mean, means[index]!)),
      );
      // The rules compare similarities of about 0.7 to 0.9, so an error of 0.0001 has no effect.
      if (least < 0.9999) throw new Error(`similarity ${least}`);
      if (bytes.length > 24 + 270 * given.voices.length) throw new Error(`${bytes.length} bytes`);
    }),
    { numRuns: 200 },
  );
  t.comment(`bytes of one voice: ${14 + ge2e.dimensions}, of the head: ${20 + ge2e.model.length - 4}`);
});

t.test('keeps the voices with the most speech within the limit', async (t) => {
  const many: VoiceState = {
    voices: Array.from({ length: 100 }, (_, number) => ({
      number,
      mean: scaled(Float32Array.from({ length: 256 }, (_, index) => (index === number ? 1 : 0))),
      weight: 1,
      windows: number,
      last: number,
    })),
    windows: [],
    count: 5000,
    next: 100,
  };
  const bytes = encodeVoices(many, ge2e);
  t.ok(bytes.length <= fixedLimits.storedVoices.value, `${bytes.length} bytes`);
  const read = decodeVoices(bytes, ge2e)!;
  t.equal(read.next, 100, 'no number is given again');
  t.same(
    byNumber(read.voices)
      .map(({ number }) => number)
      .slice(-2),
    [98, 99],
  );
  t.equal(read.voices.length, 30);
  t.equal(decodeVoices(Buffer.alloc(fixedLimits.storedVoices.value + 1, 1), ge2e), undefined);
});

t.test('ignores other versions, other models and damaged bytes', async (t) => {
  const small = { ...ge2e, dimensions: 8 };
  const one = fc.sample(
    state(8).filter(({ voices }) => voices.length > 0),
    { numRuns: 1, seed: 1 },
  )[0]!;
  const bytes = encodeVoices(one, small);
  t.ok(decodeVoices(bytes, small));
  t.equal(decodeVoices(bytes, { ...small, model: 'gf2e' }), undefined);
  t.equal(decodeVoices(bytes, { ...small, model: 'another' }), undefined);
  t.equal(decodeVoices(bytes, { ...small, dimensions: 16 }), undefined);
  t.equal(decodeVoices(new Uint8Array(), small), undefined);
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Uint8Array.from(bytes);
      damaged[at]! ^= change;
      return decodeVoices(damaged, small) === undefined;
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: bytes.length - 1 }), (noise, length) => {
      return (
        decodeVoices(noise, small) === undefined &&
        decodeVoices(bytes.subarray(0, length), small) === undefined &&
        decodeVoices(Buffer.concat([bytes, noise, Buffer.of(0)]), small) === undefined
      );
    }),
  );
});

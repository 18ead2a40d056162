/**
 * Tests the resampler for microphones: tones below 8 kHz pass, higher ones vanish, and the division of the input into
 * pieces has no effect.
 */
import fc from 'fast-check';
import t from 'tap';
import { levelOf, Resampler, toPcm16 } from '../../../src/console/audio/resampler.js';

const tone = (hertz: number, rate: number, seconds: number): Float32Array =>
  Float32Array.from({ length: rate * seconds }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hertz * at) / rate));

const decibels = (samples: Float32Array): number => {
  // Leaves out both ends, where the filter reads beyond the input.
  const middle = samples.subarray(400, -400);
  return (
    20 *
    Math.log10(
      Math.sqrt(middle.reduce((sum, one) => sum + one * one, 0) / middle.length) / (0.5 / Math.SQRT2) + 1e-9,
    )
  );
};

for (const rate of [8000, 16_000, 44_100, 48_000, 96_000]) {
  t.test(`${rate} Hz`, async (t) => {
    for (const hertz of [100, 1000, 3000, ...(rate > 8000 ? [6500] : [])]) {
      const output = new Resampler(rate, 16_000).push(tone(hertz, rate, 1));
      t.ok(Math.abs(decibels(output)) < 0.5, `${hertz} Hz pass: ${decibels(output).toFixed(2)} dB`);
      const expected = tone(hertz, 16_000, 1);
      const worst = output.reduce(
        (most, sample, at) =>
          at < 400 || at > 15_000 ? most : Math.max(most, Math.abs(sample - expected[at]!)),
        0,
      );
      t.ok(worst < 0.01, `${hertz} Hz keep their time: at most ${worst.toFixed(4)} off`);
    }
    if (rate > 16_000)
      for (const hertz of [9000, 12_000, 15_000])
        t.ok(decibels(new Resampler(rate, 16_000).push(tone(hertz, rate, 1))) < -60, `${hertz} Hz vanish`);
  });
}

t.test('the result does not depend on the pieces', async (t) => {
  const input = tone(700, 44_100, 0.2);
  const whole = new Resampler(44_100, 16_000).push(input);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 30 }), (lengths) => {
      const resampler = new Resampler(44_100, 16_000);
      const output: number[] = [];
      let at = 0;
      for (const length of lengths) {
        output.push(...resampler.push(input.subarray(at, at + length)));
        at = Math.min(input.length, at + length);
      }
      output.push(...resampler.push(input.subarray(at)));
      return output.length === whole.length && output.every((sample, place) => sample === whole[place]);
    }),
    { numRuns: 50 },
  );
  t.pass('same samples');
});

t.test('samples are cut to 16 bits, and have a level', async (t) => {
  t.same([...toPcm16(Float32Array.of(0, 1, -1, 2, -2, 0.5))], [0, 32_767, -32_767, 32_767, -32_767, 16_384]);
  t.equal(levelOf(new Int16Array(100)), -60);
  t.equal(levelOf(new Int16Array(0)), -60);
  t.equal(Math.round(levelOf(new Int16Array(100).fill(32_767))), 0);
  t.equal(Math.round(levelOf(new Int16Array(100).fill(3277))), -20);
});

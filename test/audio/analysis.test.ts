/** Compares Mel bands and nearest rows of both cores with their definitions in double precision. */
import fc from 'fast-check';
import t from 'tap';
import { loadAddon } from '../../src/audio/addon.js';
import { type Analysis, loadAnalysis, melBands, melFrames } from '../../src/audio/analysis.js';
import { native, seededNoise, speech } from './support.js';

const analyses: Analysis[] = [loadAnalysis('portable')];
if ('addon' in native) analyses.push(loadAnalysis('native'));
else t.pass('the native analysis', { skip: native.missing });

/** Computes the Mel bands of one frame by the formulas of the front end, without optimisations. */
const melFrame = (pcm: Int16Array, frame: number, gain: number): number[] => {
  const hertz = (mel: number) =>
    mel < 15 ? (mel * 200) / 3 : 1000 * Math.exp(((mel - 15) * Math.log(6.4)) / 27);
  const top = 15 + (Math.log(8) * 27) / Math.log(6.4);
  const edges = Array.from({ length: 42 }, (_, i) => hertz((top * i) / 41));
  const power = Array.from({ length: 201 }, (_, k) => {
    let re = 0;
    let im = 0;
    for (let i = 0; i < 400; i++) {
      const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / 400);
      const x = ((pcm[frame * 160 - 200 + i] ?? 0) / 32_768) * gain * hann;
      re += x * Math.cos((2 * Math.PI * i * k) / 400);
      im += x * Math.sin((2 * Math.PI * i * k) / 400);
    }
    return re * re + im * im;
  });
  return Array.from({ length: 40 }, (_, m) => {
    const [a, b, c] = edges.slice(m, m + 3) as [number, number, number];
    return power.reduce((sum, p, k) => {
      const weight = Math.min((k * 40 - a) / (b - a), (c - k * 40) / (c - b));
      return sum + ((Math.max(0, weight) * 2) / (c - a)) * p;
    }, 0);
  });
};

const cosine = (a: Float32Array, b: Float32Array): number => {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    ab += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return aa * bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
};

for (const analysis of analyses) {
  void t.test(analysis.name, async (t) => {
    await t.test('computes mel bands of speech', async (t) => {
      const pcm = speech.subarray(20_000, 68_001);
      for (const gain of [1, 3.7]) {
        const bands = analysis.melSpectrogram(pcm, gain);
        t.equal(bands.length, melFrames(pcm.length) * melBands);
        const peak = bands.reduce((a, b) => Math.max(a, b));
        let worst = 0;
        for (let frame = 0; frame < melFrames(pcm.length); frame += 7) {
          melFrame(pcm, frame, gain).forEach((expected, m) => {
            worst = Math.max(worst, Math.abs(bands[frame * melBands + m]! - expected) / peak);
          });
        }
        t.ok(worst <= 1e-6, `gain ${gain}: within ${worst.toExponential(1)} of the loudest band`);
      }
      t.same(analysis.melSpectrogram(pcm), analysis.melSpectrogram(pcm, 1), 'the gain may be left out');
    });

    await t.test('computes mel bands for any length', async (t) => {
      const noise = seededNoise(3);
      for (const samples of [0, 1, 159, 160, 161, 199, 200, 201, 400, 2560, 2561]) {
        const pcm = Int16Array.from({ length: samples }, () => noise() * 32_767);
        const bands = analysis.melSpectrogram(pcm);
        t.equal(bands.length, melFrames(samples) * melBands, `${samples} samples`);
        const last = melFrames(samples) - 1;
        const expected = melFrame(pcm, last, 1);
        const peak = Math.max(1e-9, ...expected);
        const worst = Math.max(...expected.map((e, m) => Math.abs(e - bands[last * melBands + m]!))) / peak;
        t.ok(worst < 1e-5, `${samples} samples: the last frame within ${worst.toExponential(1)}`);
      }
    });

    await t.test('finds the nearest rows', async (t) => {
      const vector = (dims: number) =>
        fc
          .array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: dims, maxLength: dims })
          .map((values) => Float32Array.from(values, (v) => (Math.abs(v) < 1e-6 ? 0 : v)));
      const problem = fc
        .tuple(
          fc.integer({ min: 1, max: 40 }),
          fc.integer({ min: 0, max: 12 }),
          fc.integer({ min: 0, max: 14 }),
        )
        .chain(([dims, rows, k]) =>
          fc.record({
            dims: fc.constant(dims),
            k: fc.constant(k),
            query: vector(dims),
            rows: fc.array(vector(dims), { minLength: rows, maxLength: rows }),
            repeat: fc.boolean(),
          }),
        );
      t.doesNotThrow(() =>
        fc.assert(
          fc.property(problem, ({ dims, k, query, rows, repeat }) => {
            const all = repeat ? [...rows, ...rows] : rows;
            const matrix = Float32Array.from(all.flatMap((row) => [...row]));
            const found = analysis.cosineTopK(query, matrix, all.length, dims, k);
            const exact = all.map((row) => cosine(query, row));
            if (found.length !== Math.min(k, all.length)) return false;
            const chosen = new Set(found.map(({ row }) => row));
            const weakest = found.at(-1)?.similarity ?? 1;
            return (
              chosen.size === found.length &&
              found.every(({ row, similarity }) => Math.abs(similarity - exact[row]!) < 2e-6) &&
              found.every(({ row, similarity }, i) => {
                const next = found[i + 1];
                return (
                  !next || similarity > next.similarity || (similarity === next.similarity && row < next.row)
                );
              }) &&
              (k === 0 || exact.every((value, row) => chosen.has(row) || value <= weakest + 2e-6)) &&
              // A repeated row is as near as its first copy. The search must return the first copy.
              (!repeat || [...chosen].every((row) => row < rows.length || chosen.has(row - rows.length)))
            );
          }),
          { seed: 5, numRuns: 400 },
        ),
      );
    });

    await t.test('ignores rows that are not finite, and checks shapes', async (t) => {
      const matrix = Float32Array.of(
        0,
        0,
        Number.NaN,
        1,
        Number.POSITIVE_INFINITY,
        0,
        1e30,
        1e30,
        2,
        4,
        -1,
        -2,
      );
      const found = analysis.cosineTopK(Float32Array.of(1, 2), matrix, 6, 2, 6);
      t.same(
        found.map(({ row }) => row),
        [4, 0, 5],
      );
      t.same(analysis.cosineTopK(Float32Array.of(Number.NaN, 2), matrix, 6, 2, 6), []);
      const one = Float32Array.of(1, 2);
      for (const [rows, dims, k] of [
        [7, 2, 1],
        [6, 3, 1],
        [5, 2, 1],
        [6, 2, -1],
        [6, 2, 0.5],
        [0, 0, 1],
        [2 ** 32, 2, 1],
      ] as const) {
        t.throws(
          () => analysis.cosineTopK(one, matrix, rows, dims, k),
          RangeError,
          `${rows} x ${dims}, ${k}`,
        );
      }
    });
  });
}

void t.test('selects the native or the portable analysis', async (t) => {
  const nowhere = () => loadAddon(new URL('file:///nonexistent/'));
  t.equal(loadAnalysis('auto', nowhere).name, 'portable');
  t.throws(() => loadAnalysis('native', nowhere), { code: 'core_unavailable' });
  t.equal(loadAnalysis('portable').isa, 'javascript');
});

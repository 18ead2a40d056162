import { loadAnalysis } from '../../src/audio/analysis.js';
import { cpuPerUnit } from './clock.js';
import { type Entry, type Suite, SuiteRows } from './suite.js';

/** Sizes of three typical searches: voices of a household, sentences of a user, sentences of many years. */
const shapes = [
  { rows: 16, dims: 256, calls: 2000 },
  { rows: 1000, dims: 384, calls: 50 },
  { rows: 20_000, dims: 384, calls: 2 },
] as const;
const best = 10;

/** Returns numbers that vary, but are equal in every run. */
const filled = (length: number): Float32Array => {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
};

/**
 * Measures the us of a search for the ten nearest rows. Compares the native kernel with the same algorithm in
 * JavaScript.
 */
export const cosineSuite: Suite = async (options) => {
  const rows = new SuiteRows('cosine', 'us_per_call', options);
  const analyses = [loadAnalysis('native'), loadAnalysis('portable')];
  for (const shape of shapes) {
    const query = filled(shape.dims);
    const matrix = filled(shape.rows * shape.dims);
    const entries = analyses.map((analysis): [string, Entry] => {
      const contender = analysis.name === 'native' ? 'cochlea' : 'portable';
      return [
        contender,
        {
          labels: {
            contender,
            isa: analysis.isa,
            batch: shape.rows,
            mode: `${shape.rows} x ${shape.dims}, best ${best}`,
          },
          measure: async () =>
            (await cpuPerUnit(shape.calls, () => {
              for (let i = 0; i < shape.calls; i++)
                analysis.cosineTopK(query, matrix, shape.rows, shape.dims, best);
            })) / 1000,
        },
      ];
    });
    await rows.add(`${shape.rows} x ${shape.dims}`, new Map(entries));
  }
  return rows;
};

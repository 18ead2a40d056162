import { loadAddon } from './addon.js';
import { cosineTopK, melSpectrogram, type Neighbour } from './portable/index.js';

/** Bands of `Analysis.melSpectrogram`. */
export const melBands = 40;

/** Number of frames that `Analysis.melSpectrogram` makes of a recording. */
export const melFrames = (samples: number): number => 1 + Math.floor(samples / 160);

/** Computations over whole recordings and matrices, independent of streams. They block the calling thread. */
export interface Analysis {
  readonly name: 'native' | 'portable';
  /** Instruction set of the native kernels, `javascript` for the portable ones. */
  readonly isa: string;

  /**
   * Front end of the GE2E speaker encoder: power in 40 triangular bands on the Slaney scale, 0..8000 Hz. Windows have
   * 400 samples (periodic Hann) and are centred on every 160th sample. The signal is padded with zeros at both ends. No
   * logarithm.
   * @param pcm mono 16 kHz
   * @param gain factor for the samples, which are read as -1..1. Default 1.
   * @returns `melFrames(pcm.length)` x `melBands`, row-major; the caller owns it
   */
  melSpectrogram(pcm: Int16Array, gain?: number): Float32Array;

  /**
   * The rows of a matrix most similar to a vector, by the cosine of the angle between them. Equal rows get equal
   * similarities. Of rows with equal similarity the lower row number comes first. A row of zeros has similarity 0.
   * Leaves out rows with a component that is not finite or has a square beyond float32, so fewer than `k` may come
   * back.
   * @param query `dims` floats
   * @param matrix `rows` x `dims`, row-major; only read
   * @returns best first
   * @throws RangeError when the length of an array contradicts `rows` and `dims`.
   */
  cosineTopK(query: Float32Array, matrix: Float32Array, rows: number, dims: number, k: number): Neighbour[];
}

const checkMatrix = (
  query: Float32Array,
  matrix: Float32Array,
  rows: number,
  dims: number,
  k: number,
): void => {
  for (const [name, value] of Object.entries({ rows, dims, k })) {
    if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff)
      throw new RangeError(`${name} is ${value}`);
  }
  if (dims === 0) throw new RangeError('vectors have no dimensions');
  if (query.length !== dims) throw new RangeError(`the query has ${query.length} dimensions, not ${dims}`);
  if (matrix.length !== rows * dims)
    throw new RangeError(`the matrix has ${matrix.length} values, not ${rows} x ${dims}`);
};

const portable: Analysis = {
  name: 'portable',
  isa: 'javascript',
  melSpectrogram: (pcm, gain = 1) => melSpectrogram(pcm, gain),
  cosineTopK: (query, matrix, rows, dims, k) => {
    checkMatrix(query, matrix, rows, dims, k);
    return cosineTopK(query, matrix, rows, dims, k);
  },
};

/**
 * The analysis of the core in use.
 * @param preference as for `loadCore`: `auto` uses the native one if it loads.
 * @param load finds the addon; tests pass another function
 * @throws CochleaError core_unavailable under `native` when the addon does not load.
 */
export const loadAnalysis = (
  preference: 'auto' | 'native' | 'portable',
  load: typeof loadAddon = loadAddon,
): Analysis => {
  if (preference === 'portable') return portable;
  try {
    const { addon } = load();
    return {
      name: 'native',
      isa: addon.isa,
      melSpectrogram: (pcm, gain = 1) => addon.melSpectrogram(pcm, gain),
      cosineTopK: (query, matrix, rows, dims, k) => {
        checkMatrix(query, matrix, rows, dims, k);
        const found = addon.cosineTopK(query, matrix, rows, dims, k) ?? [];
        return Array.from({ length: found.length / 2 }, (_, i) => ({
          row: found[2 * i]!,
          similarity: found[2 * i + 1]!,
        }));
      },
    };
  } catch (error) {
    if (preference === 'native') throw error;
    return portable;
  }
};

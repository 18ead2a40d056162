import { loadAddon } from './addon.js';
import { cosineTopK, melSpectrogram, type Neighbour } from './portable/index.js';

/** Number of frequency bands of `Analysis.melSpectrogram`. */
export const melBands = 40;

/** Number of frames that `Analysis.melSpectrogram` returns for a recording of `samples` samples. */
export const melFrames = (samples: number): number => 1 + Math.floor(samples / 160);

/** Computations over complete recordings and matrices. They use no stream, and block the calling thread. */
export interface Analysis {
  readonly name: 'native' | 'portable';
  /** Instruction set of the native kernels; `javascript` for the portable kernels. */
  readonly isa: string;

  /**
   * Returns the input of the GE2E speaker encoder: power in 40 triangular bands on the Slaney scale, 0..8000 Hz.
   * Windows have 400 samples (periodic Hann) and are centred on every 160th sample. The signal is padded with zeros at
   * both ends. The power is linear, without a logarithm.
   * @param pcm mono 16 kHz
   * @param gain factor for the samples, which are read as -1..1. Default 1.
   * @returns `melFrames(pcm.length)` x `melBands`, row-major; the caller owns it
   */
  melSpectrogram(pcm: Int16Array, gain?: number): Float32Array;

  /**
   * Returns the `k` rows of a matrix with the highest cosine similarity to a vector. Equal rows get equal similarities,
   * and the lower row number comes first. A row of zeros has similarity 0.
   *
   * Omits rows with a component that is not finite or has a square beyond float32. So fewer than `k` rows may be
   * returned.
   * @param query `dims` floats
   * @param matrix `rows` x `dims`, row-major; only read
   * @returns rows by falling similarity
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
 * Returns the computations of the native or the portable core.
 * @param preference as for `loadCore`: `auto` uses the native core if it loads.
 * @param load loads the addon. Tests pass another function.
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

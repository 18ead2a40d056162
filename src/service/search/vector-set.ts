import type { VectorRow } from '../../store/search/index.js';

/** Number of rows for which a new set reserves space. */
const firstRows = 64;
/** Bytes that each row takes in addition to its vector: id, index and moment. */
const perRow = 200;

/** The vectors of one user and kind, as the rows of a matrix without gaps. The matrix doubles its capacity when it is full. */
export class VectorSet {
  #matrix: Float32Array;
  readonly #ids: string[] = [];
  readonly #moments: number[] = [];
  readonly #rows = new Map<string, number>();

  constructor(readonly dimensions: number) {
    this.#matrix = new Float32Array(firstRows * dimensions);
  }

  get size(): number {
    return this.#ids.length;
  }

  /** Approximate number of bytes that the set occupies in memory. */
  get bytes(): number {
    return this.#matrix.byteLength + perRow * this.#ids.length;
  }

  /** The vectors, row by row. Valid until the next change. */
  get matrix(): Float32Array {
    return this.#matrix.subarray(0, this.size * this.dimensions);
  }

  idOf(row: number): string {
    return this.#ids[row]!;
  }

  /** Returns the moment that `put` received for a row, in ms since 1970. */
  momentOf(row: number): number {
    return this.#moments[row]!;
  }

  rowOf(id: string): number | undefined {
    return this.#rows.get(id);
  }

  vectorOf(row: number): Float32Array {
    return this.#matrix.subarray(row * this.dimensions, (row + 1) * this.dimensions);
  }

  /** Adds or replaces a vector. The set copies it. A missing vector, or a vector of another length, removes the row. */
  put({ id, at, vector }: VectorRow): void {
    if (vector === null || vector.length !== this.dimensions) {
      this.remove(id);
      return;
    }
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = this.size;
      this.#ids.push(id);
      this.#rows.set(id, row);
      if ((row + 1) * this.dimensions > this.#matrix.length) {
        const larger = new Float32Array(2 * this.#matrix.length);
        larger.set(this.#matrix);
        this.#matrix = larger;
      }
    }
    this.#moments[row] = at;
    this.#matrix.set(vector, row * this.dimensions);
  }

  /** Removes a row. The last row moves into its place. */
  remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    const last = this.size - 1;
    if (row !== last) {
      this.#ids[row] = this.#ids[last]!;
      this.#moments[row] = this.#moments[last]!;
      this.#matrix.copyWithin(row * this.dimensions, last * this.dimensions, (last + 1) * this.dimensions);
      this.#rows.set(this.#ids[row]!, row);
    }
    this.#ids.pop();
    this.#moments.pop();
    this.#rows.delete(id);
  }
}

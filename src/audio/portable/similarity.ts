/** The number of a row in a matrix, and the similarity of that row, from -1 to 1. */
export interface Neighbour {
  readonly row: number;
  readonly similarity: number;
}

const better = (a: Neighbour, b: Neighbour): boolean =>
  a.similarity > b.similarity || (a.similarity === b.similarity && a.row < b.row);

/** Implements `Analysis.cosineTopK`. The caller has checked the arguments. */
export const cosineTopK = (
  query: Float32Array,
  matrix: Float32Array,
  rows: number,
  dims: number,
  k: number,
): Neighbour[] => {
  let queryPower = 0;
  for (let i = 0; i < dims; i++) queryPower += query[i]! * query[i]!;
  const kept: Neighbour[] = [];
  if (k === 0 || !float32(queryPower)) return kept;
  for (let row = 0; row < rows; row++) {
    let dot = 0;
    let power = 0;
    for (let i = 0, at = row * dims; i < dims; i++, at++) {
      const value = matrix[at]!;
      dot += query[i]! * value;
      power += value * value;
    }
    if (!float32(dot) || !float32(power)) continue;
    const scale = Math.sqrt(queryPower * power);
    const similarity = Math.fround(scale > 0 ? Math.max(-1, Math.min(1, dot / scale)) : 0);
    const candidate = { row, similarity };
    if (kept.length === k && !better(candidate, kept[k - 1]!)) continue;
    if (kept.length === k) kept.pop();
    // Candidates come in the order of their row numbers. A candidate therefore goes behind rows with the same
    // similarity.
    let at = kept.length;
    while (at > 0 && better(candidate, kept[at - 1]!)) at--;
    kept.splice(at, 0, candidate);
  }
  return kept;
};

/** Whether a value is finite as a float32. The native kernel computes in float32 and omits rows with other values. */
const float32 = (value: number): boolean => Number.isFinite(Math.fround(value));

/** A row number of a matrix and the row's similarity, -1..1. */
export interface Neighbour {
  readonly row: number;
  readonly similarity: number;
}

const better = (a: Neighbour, b: Neighbour): boolean =>
  a.similarity > b.similarity || (a.similarity === b.similarity && a.row < b.row);

/** Implements `Analysis.cosineTopK`, which checks the arguments. */
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
    // Candidates come in row order, so a candidate is inserted behind rows of equal similarity.
    let at = kept.length;
    while (at > 0 && better(candidate, kept[at - 1]!)) at--;
    kept.splice(at, 0, candidate);
  }
  return kept;
};

/** Whether a value is finite in float32. The native kernel computes in float32 and leaves out other values. */
const float32 = (value: number): boolean => Number.isFinite(Math.fround(value));

/** Number of dimensions of a vector of the sentence model. */
export const dimensions = 384;

/** Returns vectors of length one in random directions. They are equal in every run. */
export const unitVectors = (count: number, seed: number): Float32Array[] => {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  // Box-Muller transform. Normally distributed coordinates give evenly distributed directions.
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, normal);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    return vector.map((value) => value / length);
  });
};

export const joined = (vectors: readonly Float32Array[]): Float32Array => {
  const all = new Float32Array(vectors.length * dimensions);
  vectors.forEach((vector, row) => {
    all.set(vector, row * dimensions);
  });
  return all;
};

/** Returns the indices of the vectors nearest to a query, best first. Computes in double precision. */
export const exactlyNearest = (
  vectors: readonly Float32Array[],
  query: Float32Array,
  count: number,
): number[] => {
  const similarities = vectors.map((vector) => {
    let dot = 0;
    for (let i = 0; i < vector.length; i++) dot += vector[i]! * query[i]!;
    return dot;
  });
  return similarities
    .map((_, row) => row)
    .sort((a, b) => similarities[b]! - similarities[a]!)
    .slice(0, count);
};

/** Returns the cosine of the angle between two vectors of length one. */
export const cosine = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!;
  return sum;
};

/** Scales a vector to length one. A zero vector stays unchanged. */
export const scaled = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(cosine(vector, vector));
  return length > 0 ? vector.map((value) => value / length) : vector;
};

/** Returns the weighted mean of vectors of length one, scaled to length one. Needs at least one vector. */
export const meanOf = (
  vectors: readonly { readonly vector: Float32Array; readonly weight: number }[],
): Float32Array => {
  const sum = new Float32Array(vectors[0]!.vector.length);
  for (const { vector, weight } of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! * weight;
  }
  return scaled(sum);
};

/** Computes mel spectrograms as native/speaker/mel.h does, but in double precision. */

const windowLength = 400;
const hop = 160;
const bands = 40;
const half = windowLength / 2;
const quarter = windowLength / 4;
const binWidth = 40;

const hertz = (mel: number): number =>
  mel < 15 ? (mel * 200) / 3 : 1000 * Math.exp(((mel - 15) * Math.log(6.4)) / 27);

/** For each band, the number of its first bin and the weights of its bins. */
const filters = (() => {
  const top = 15 + (Math.log(8) * 27) / Math.log(6.4);
  const edges = Array.from({ length: bands + 2 }, (_, i) => hertz((top * i) / (bands + 1)));
  return Array.from({ length: bands }, (_, m) => {
    const [low, middle, high] = edges.slice(m, m + 3) as [number, number, number];
    const first = Math.floor(low / binWidth) + 1;
    const weights: number[] = [];
    for (let k = first; k <= half && k * binWidth < high; k++) {
      const f = k * binWidth;
      weights.push((Math.min((f - low) / (middle - low), (high - f) / (high - middle)) * 2) / (high - low));
    }
    return { first, weights };
  });
})();

const cosines = Float64Array.from({ length: windowLength }, (_, i) =>
  Math.cos((2 * Math.PI * i) / windowLength),
);
const sines = Float64Array.from({ length: windowLength }, (_, i) =>
  Math.sin((2 * Math.PI * i) / windowLength),
);
const hann = cosines.map((cosine) => 0.5 - 0.5 * cosine);

/** Computes the power of bins 0..200 of a windowed frame. Folds the frame about its middle, as the native code does. */
const transform = (frame: Float64Array, power: Float64Array): void => {
  for (let k = 0; k <= quarter; k++) {
    let cosEven = frame[0]!;
    let cosOdd = 0;
    let sinEven = 0;
    let sinOdd = 0;
    let angle = 0;
    for (let i = 1; i < half; i++) {
      angle += k;
      if (angle >= windowLength) angle -= windowLength;
      const left = frame[i]!;
      const right = frame[windowLength - i]!;
      if (i & 1) {
        cosOdd += (left + right) * cosines[angle]!;
        sinOdd += (left - right) * sines[angle]!;
      } else {
        cosEven += (left + right) * cosines[angle]!;
        sinEven += (left - right) * sines[angle]!;
      }
    }
    cosEven += k & 1 ? -frame[half]! : frame[half]!;
    power[k] = (cosEven + cosOdd) ** 2 + (sinEven + sinOdd) ** 2;
    power[half - k] = (cosEven - cosOdd) ** 2 + (sinOdd - sinEven) ** 2;
  }
};

/** Implements `Analysis.melSpectrogram`. */
export const melSpectrogram = (pcm: Int16Array, gain: number): Float32Array => {
  const frames = 1 + Math.floor(pcm.length / hop);
  const out = new Float32Array(frames * bands);
  const frame = new Float64Array(windowLength);
  const power = new Float64Array(half + 1);
  const scale = gain / 32_768;
  for (let t = 0; t < frames; t++) {
    const begin = t * hop - half;
    for (let i = 0; i < windowLength; i++) frame[i] = (pcm[begin + i] ?? 0) * scale * hann[i]!;
    transform(frame, power);
    filters.forEach(({ first, weights }, m) => {
      let sum = 0;
      for (let i = 0; i < weights.length; i++) sum += weights[i]! * power[first + i]!;
      out[t * bands + m] = sum;
    });
  }
  return out;
};

/** Number of zero crossings of the sinc on each side of its centre. */
const crossings = 16;

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** Returns the value of a Hann-windowed sinc with cut-off frequency `cutoff` (1 = the input's Nyquist frequency). */
const kernel = (distance: number, cutoff: number, reach: number): number =>
  Math.abs(distance) >= reach
    ? 0
    : cutoff * sinc(cutoff * distance) * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach));

/**
 * Converts a whole recording of mono samples from one rate to another. The client uses it before a stream begins, so the code favours
 * clarity over speed. The engine has its own resampler in the audio core.
 * @returns new samples; the input itself if the rates are equal.
 */
export const resample = (pcm: Int16Array, from: number, to: number): Int16Array => {
  if (from === to) return pcm;
  const ratio = from / to;
  // For a lower output rate, the cut-off is below the new Nyquist frequency to avoid aliasing.
  const cutoff = Math.min(1, 1 / ratio) * 0.95;
  const reach = crossings / Math.min(1, 1 / ratio);
  const output = new Int16Array(Math.floor(pcm.length / ratio));
  for (let index = 0; index < output.length; index++) {
    const centre = index * ratio;
    const last = Math.min(pcm.length - 1, Math.floor(centre + reach));
    let sum = 0;
    for (let at = Math.max(0, Math.ceil(centre - reach)); at <= last; at++) {
      sum += pcm[at]! * kernel(centre - at, cutoff, reach);
    }
    output[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return output;
};

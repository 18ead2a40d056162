import { aLawSamples, muLawSamples } from './g711.js';

const pcmTag = 1;
const floatTag = 3;
const aLawTag = 6;
const muLawTag = 7;

/** The format of the samples in a WAV file. */
export interface WavFormat {
  readonly tag: number;
  readonly channels: number;
  /** Sample rate in Hz. */
  readonly rate: number;
  readonly bits: number;
  /** Whether numbers are big-endian, as in RIFX files. */
  readonly isBigEndian: boolean;
}

/** Reads one sample and scales it to the range of 16 bits. */
type SampleReader = (view: DataView, offset: number, isLittle: boolean) => number;

const readers: Readonly<Record<string, SampleReader>> = {
  [`${pcmTag}/8`]: (view, offset) => (view.getUint8(offset) - 128) * 256,
  [`${pcmTag}/16`]: (view, offset, isLittle) => view.getInt16(offset, isLittle),
  // Of a longer sample, only the upper two bytes are read.
  [`${pcmTag}/24`]: (view, offset, isLittle) => view.getInt16(offset + (isLittle ? 1 : 0), isLittle),
  [`${pcmTag}/32`]: (view, offset, isLittle) => view.getInt16(offset + (isLittle ? 2 : 0), isLittle),
  [`${floatTag}/32`]: (view, offset, isLittle) => view.getFloat32(offset, isLittle) * 32_768,
  [`${floatTag}/64`]: (view, offset, isLittle) => view.getFloat64(offset, isLittle) * 32_768,
  [`${aLawTag}/8`]: (view, offset) => aLawSamples[view.getUint8(offset)]!,
  [`${muLawTag}/8`]: (view, offset) => muLawSamples[view.getUint8(offset)]!,
};

const clamp = (value: number): number =>
  Number.isNaN(value) ? 0 : Math.max(-32_768, Math.min(32_767, Math.round(value)));

/** Whether `monoSamples` can read the format: PCM, float or G.711. */
export const areSamplesKnown = ({ tag, bits }: WavFormat): boolean => `${tag}/${bits}` in readers;

/** Returns the number of bytes of one sample of all channels. */
export const frameBytes = ({ bits, channels }: WavFormat): number => (bits / 8) * channels;

/**
 * Converts a part of a WAV file to mono samples of 16 bits, by averaging the channels. Drops an incomplete sample at
 * the end.
 * @param format a format that `areSamplesKnown` accepts.
 */
export const monoSamples = (bytes: Uint8Array, format: WavFormat): Int16Array => {
  const { tag, channels, bits, isBigEndian } = format;
  const read = readers[`${tag}/${bits}`]!;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = bits / 8;
  const frame = frameBytes(format);
  const pcm = new Int16Array(Math.floor(bytes.length / frame));
  for (let index = 0; index < pcm.length; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++)
      sum += read(view, index * frame + channel * width, !isBigEndian);
    pcm[index] = clamp(sum / channels);
  }
  return pcm;
};

import { CochleaError } from '../../errors/index.js';

/** Mono samples and their rate in Hz. */
export interface Recording {
  readonly pcm: Int16Array;
  readonly rate: number;
}

const pcmTag = 1;
const floatTag = 3;
const extensibleTag = 0xfffe;

/** Four letters each, as a number. */
const names = { RIFF: 0x52494646, WAVE: 0x57415645, format: 0x666d7420, data: 0x64617461 } as const;
/** Chunks of a file that are looked at. */
const mostChunks = 1000;

/** How the samples of a WAV file are written. */
export interface WavFormat {
  readonly tag: number;
  readonly channels: number;
  readonly rate: number;
  readonly bits: number;
}

/** Reads one sample, scaled to the range of 16 bits. */
type SampleReader = (view: DataView, offset: number) => number;

const readers: Readonly<Record<string, SampleReader>> = {
  [`${pcmTag}/8`]: (view, offset) => (view.getUint8(offset) - 128) * 256,
  [`${pcmTag}/16`]: (view, offset) => view.getInt16(offset, true),
  [`${pcmTag}/24`]: (view, offset) => view.getInt16(offset + 1, true),
  [`${pcmTag}/32`]: (view, offset) => view.getInt16(offset + 2, true),
  [`${floatTag}/32`]: (view, offset) => view.getFloat32(offset, true) * 32_768,
};

const clamp = (value: number): number =>
  Number.isNaN(value) ? 0 : Math.max(-32_768, Math.min(32_767, Math.round(value)));

/** Where the samples of a WAV file lie, and how they are written. */
export interface WavLayout {
  readonly format: WavFormat;
  /** Byte of the first sample. */
  readonly start: number;
  /** Byte after the last whole sample of all channels. */
  readonly end: number;
}

/**
 * Finds the samples of a RIFF WAVE file: PCM of 8, 16, 24 or 32 bits or 32-bit float, up to 32 channels, any usual rate. Chunks other than
 * `fmt ` and `data` are skipped. A `data` chunk that is longer than the file (a truncated recording, or a length of 0xFFFFFFFF from a
 * pipe) goes to the end of the file.
 *
 * Source of the layout: "Multimedia Programming Interface and Data Specifications 1.0", RIFF WAVE.
 * @param bytes the beginning of the file, in which the samples have to begin.
 * @param length bytes of the whole file.
 * @throws CochleaError `audio_file_unsupported` for anything else.
 */
export const wavLayout = (bytes: Uint8Array, length: number, path: string): WavLayout => {
  const refuse = (why: string): never => {
    throw new CochleaError('audio_file_unsupported', { path, why });
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNamed = (offset: number, name: number): boolean => view.getUint32(offset) === name;
  if (bytes.length < 12 || !isNamed(0, names.RIFF) || !isNamed(8, names.WAVE)) refuse('no RIFF WAVE header');

  let format: WavFormat | undefined;
  let chunks = 0;
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    if (++chunks > mostChunks) refuse(`no samples in its first ${mostChunks} chunks`);
    const chunk = view.getUint32(offset + 4, true);
    const start = offset + 8;
    if (isNamed(offset, names.format)) {
      const end = Math.min(start + chunk, bytes.length);
      format = readFormat(view, start, end) ?? refuse('its format chunk is too short');
    }
    if (isNamed(offset, names.data)) {
      if (!format) return refuse('no format before the samples');
      check(format, refuse);
      const frames = Math.floor((Math.min(start + chunk, length) - start) / frameBytes(format));
      return { format, start, end: start + frames * frameBytes(format) };
    }
    // Chunks are padded to even lengths.
    offset = start + chunk + (chunk & 1);
  }
  return refuse('no samples');
};

/** Bytes of a sample of all channels. */
export const frameBytes = ({ bits, channels }: WavFormat): number => (bits / 8) * channels;

/** Samples of a part of a WAV file as mono of 16 bits: channels are averaged. What is no whole sample at the end is left out. */
export const monoSamples = (bytes: Uint8Array, format: WavFormat): Int16Array => {
  const { tag, channels, bits } = format;
  const read = readers[`${tag}/${bits}`]!;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = bits / 8;
  const frame = frameBytes(format);
  const pcm = new Int16Array(Math.floor(bytes.length / frame));
  for (let index = 0; index < pcm.length; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += read(view, index * frame + channel * width);
    pcm[index] = clamp(sum / channels);
  }
  return pcm;
};

/** Reads a whole WAV file. @throws CochleaError as `wavLayout` does. */
export const readWav = (bytes: Uint8Array, path: string): Recording => {
  const { format, start, end } = wavLayout(bytes, bytes.length, path);
  return { pcm: monoSamples(bytes.subarray(start, end), format), rate: format.rate };
};

const readFormat = (view: DataView, start: number, end: number): WavFormat | undefined => {
  if (end - start < 16) return undefined;
  const tag = view.getUint16(start, true);
  return {
    // In the extensible format the actual tag is in the first bytes of the sub-format.
    tag: tag === extensibleTag && end - start >= 26 ? view.getUint16(start + 24, true) : tag,
    channels: view.getUint16(start + 2, true),
    rate: view.getUint32(start + 4, true),
    bits: view.getUint16(start + 14, true),
  };
};

const check = ({ tag, channels, rate, bits }: WavFormat, refuse: (why: string) => never): void => {
  if (readers[`${tag}/${bits}`] === undefined) refuse(`format ${tag} with ${bits} bits`);
  if (channels < 1 || channels > 32) refuse(`${channels} channels`);
  if (rate < 4000 || rate > 192_000) refuse(`a rate of ${rate} Hz`);
};

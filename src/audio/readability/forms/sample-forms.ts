import type { StreamFormat } from '../../../wire/index.js';
import { aLawSamples, muLawSamples } from '../../wav/index.js';

/** Formats of raw samples that clients send. */
export type SampleForm =
  | 'u8'
  | 's8'
  | 'mulaw'
  | 'alaw'
  | 's16le'
  | 's16be'
  | 'u16le'
  | 's24le'
  | 's24be'
  | 's32le'
  | 's32be'
  | 'f32le'
  | 'f32be'
  | 'f64le'
  | 'f64be';

/** Number of bytes of one sample in each format. */
export const formBytes: Readonly<Record<SampleForm, number>> = {
  u8: 1,
  s8: 1,
  mulaw: 1,
  alaw: 1,
  s16le: 2,
  s16be: 2,
  u16le: 2,
  s24le: 3,
  s24be: 3,
  s32le: 4,
  s32be: 4,
  f32le: 4,
  f32be: 4,
  f64le: 8,
  f64be: 8,
};

/** Returns the number of bytes of one sample in a PCM stream; 0 for other codecs. */
export const sampleBytesOf = ({ codec }: Pick<StreamFormat, 'codec'>): number => {
  if (codec === 'pcm8') return formBytes.u8;
  return codec === 'pcm16' ? formBytes.s16le : 0;
};

type Read = (view: DataView, at: number) => number;

const readers: Readonly<Record<SampleForm, Read>> = {
  u8: (view, at) => (view.getUint8(at) - 128) * 256,
  s8: (view, at) => view.getInt8(at) * 256,
  mulaw: (view, at) => muLawSamples[view.getUint8(at)]!,
  alaw: (view, at) => aLawSamples[view.getUint8(at)]!,
  s16le: (view, at) => view.getInt16(at, true),
  s16be: (view, at) => view.getInt16(at, false),
  u16le: (view, at) => view.getUint16(at, true) - 32_768,
  s24le: (view, at) => view.getInt16(at + 1, true),
  s24be: (view, at) => view.getInt16(at, false),
  s32le: (view, at) => view.getInt16(at + 2, true),
  s32be: (view, at) => view.getInt16(at, false),
  f32le: (view, at) => view.getFloat32(at, true) * 32_768,
  f32be: (view, at) => view.getFloat32(at, false) * 32_768,
  f64le: (view, at) => view.getFloat64(at, true) * 32_768,
  f64be: (view, at) => view.getFloat64(at, false) * 32_768,
};

/** Reads complete samples, scaled to 16 bits. NaN and infinity become 0. */
export const readSamples = (bytes: Uint8Array, form: SampleForm): Float32Array => {
  const width = formBytes[form];
  const read = readers[form];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(Math.floor(bytes.length / width));
  for (let index = 0; index < samples.length; index++) {
    const sample = read(view, index * width);
    samples[index] = Number.isFinite(sample) ? sample : 0;
  }
  return samples;
};

/** Formats of floating-point samples. */
export type FloatForm = 'f32le' | 'f32be' | 'f64le' | 'f64be';

/**
 * Bounds for the magnitude of plausible floating-point samples, at a full scale of 32,768. A sample of audio is either
 * exactly 0, or its magnitude lies between these bounds.
 */
const largestFloat = 2 * 32_768;
const smallestFloat = 1e-9 * 32_768;

/** Reads bytes as floating-point samples. Returns the share of plausible samples, 0 to 1. */
export const plausibleFloats = (bytes: Uint8Array, form: FloatForm): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = formBytes[form];
  const read = readers[form];
  const count = Math.floor(bytes.length / width);
  let plausible = 0;
  let silent = 0;
  for (let index = 0; index < count; index++) {
    const size = Math.abs(read(view, index * width));
    if (size === 0) silent++;
    else if (size <= largestFloat && size >= smallestFloat) plausible++;
  }
  return count === silent ? 0 : plausible / (count - silent);
};

const floatForms: readonly FloatForm[] = ['f32le', 'f32be', 'f64le', 'f64be'];
/** Minimum share of plausible samples in audio that really is floating point. */
export const floatShare = 0.98;

/** Returns whether bytes are floating-point samples of any format. */
export const looksLikeFloats = (bytes: Uint8Array): boolean =>
  floatForms.some((form) => plausibleFloats(bytes, form) >= floatShare);

/** A quarter of full scale in the codes of mu-law and A-law. Most audio is softer. */
const loud = 0x60;
/** Minimum share of samples below `loud`. */
const mostlyBelow = 0.9;
/** Minimum share of positive samples, and minimum share of negative samples. */
const eitherSign = 0.2;

/**
 * Checks whether bytes look like mu-law or A-law: both signs occur, and nearly all codes mean small magnitudes. The
 * small values of linear samples lie around one byte value, not around two.
 */
export const looksLikeLaw = (bytes: Uint8Array, form: 'mulaw' | 'alaw'): boolean => {
  const mask = form === 'mulaw' ? 0xff : 0xd5;
  let positive = 0;
  let small = 0;
  for (const byte of bytes) {
    const coded = byte ^ mask;
    if ((coded & 0x80) === 0) positive++;
    if ((coded & 0x7f) < loud) small++;
  }
  const share = positive / bytes.length;
  return small >= mostlyBelow * bytes.length && share > eitherSign && share < 1 - eitherSign;
};

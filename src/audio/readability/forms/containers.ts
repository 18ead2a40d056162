import { type Container, containerOf, isSurelyFile } from '../../sniff/index.js';
import { layoutIn, type WavFormat } from '../../wav/index.js';
import { entropyOf, nearlyAll } from './byte-statistics.js';

/** A file format that a client may send instead of frames, with the name that users know. */
export interface FoundContainer {
  readonly container: string;
  readonly title: string;
}

const titles: Readonly<Record<Container, string>> = {
  wav: 'a WAV file',
  w64: 'a W64 file',
  aiff: 'an AIFF file',
  caf: 'a CAF file',
  au: 'an AU file',
  flac: 'a FLAC file',
  amr: 'an AMR file',
  ogg: 'an Ogg file',
  webm: 'a WebM file',
  mp4: 'an MP4 file',
  aac: 'an AAC file',
  mp3: 'an MP3 file',
};

/** The file format that the first message of a stream begins with, or null. */
export const fileIn = (head: Uint8Array): FoundContainer | null => {
  const container = containerOf(head);
  if (container === null || !isSurelyFile(head)) return null;
  return { container, title: titles[container] };
};

/** Whether nearly every message begins a WAV file, not only the first. */
export const isWavEach = (frames: readonly Uint8Array[]): boolean => {
  if (frames.length < 2) return false;
  const files = frames.filter((frame) => containerOf(frame) === 'wav').length;
  return files >= nearlyAll * frames.length;
};

/** Share of printable bytes in text, and its entropy in bits per byte. */
const printable = 0.99;
const textEntropy = 3.8;

/**
 * Whether bytes are text, such as base64, hexadecimal digits or JSON. Samples of a narrow range may be printable, too,
 * but have less entropy.
 */
export const isText = (bytes: Uint8Array): boolean => {
  let count = 0;
  for (const byte of bytes) if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d) count++;
  return count >= printable * bytes.length && entropyOf(bytes) >= textEntropy;
};

/** Fewest digits, and fewest different digits, that prove an encoding. */
const fewestDigits = 400;
const fewestHex = 8;
const fewestBase64 = 16;
/** Least share of capitals, of small letters and of numerals in base64. */
const ofEachKind = 0.02;

const white = [0x20, 0x0a, 0x0d];
const codesOf = (text: string): readonly number[] => [...text].map((letter) => letter.charCodeAt(0));
const capitals = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const smalls = codesOf('abcdefghijklmnopqrstuvwxyz');
const numerals = codesOf('0123456789');
const base64Codes = [...capitals, ...smalls, ...numerals, ...codesOf('+/-_=')];
const hexCodes = [...numerals, ...codesOf('abcdefABCDEF')];
const inText = new Set([...base64Codes, ...white]);

/**
 * Whether all bytes are digits of an encoding, hexadecimal or base64. Samples are not: if they range from numerals to
 * letters, they also have values between the two. Stops at the first other byte.
 */
export const isEncoded = (bytes: Uint8Array): boolean => {
  if (bytes.length < fewestDigits || !bytes.every((byte) => inText.has(byte))) return false;
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]!++;
  const share = (codes: readonly number[]): number =>
    codes.reduce((sum, code) => sum + counts[code]!, 0) / bytes.length;
  const different = (codes: readonly number[]): number => codes.filter((code) => counts[code]! > 0).length;
  const isHex = share([...hexCodes, ...white]) === 1 && share(numerals) > 0 && share(numerals) < 1;
  if (isHex) return different(hexCodes) >= fewestHex;
  const kinds = [capitals, smalls, numerals].every((codes) => share(codes) >= ofEachKind);
  return kinds && different(base64Codes) >= fewestBase64;
};

/** The format in the header of a WAV file; null if the message has an incomplete header or an unsupported one. */
export const wavFormatOf = (head: Uint8Array): WavFormat | null => {
  try {
    return layoutIn(head, '').format;
  } catch {
    return null;
  }
};

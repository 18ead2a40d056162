import { type Container, containerOf, isSurelyFile } from '../../sniff/index.js';
import { layoutIn, type WavFormat } from '../../wav/index.js';
import { entropyOf, nearlyAll } from './byte-statistics.js';

/** A file format that a client may send instead of frames, with its name in messages. */
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

/** Returns the file format with which the first message of a stream begins, or null. */
export const fileIn = (head: Uint8Array): FoundContainer | null => {
  const container = containerOf(head);
  if (container === null || !isSurelyFile(head)) return null;
  return { container, title: titles[container] };
};

/**
 * Checks whether nearly every message begins with a WAV header. In an ordinary WAV file, only the first message does.
 */
export const isWavEach = (frames: readonly Uint8Array[]): boolean => {
  if (frames.length < 2) return false;
  const files = frames.filter((frame) => containerOf(frame) === 'wav').length;
  return files >= nearlyAll * frames.length;
};

/** Minimum share of printable bytes in a text. */
const printable = 0.99;
/** Minimum entropy of a text in bits per byte. */
const textEntropy = 3.8;

/**
 * Checks whether bytes are text, such as base64, hexadecimal digits or JSON. Samples in a narrow range may also be
 * printable, but have less entropy than text.
 */
export const isText = (bytes: Uint8Array): boolean => {
  let count = 0;
  for (const byte of bytes) if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d) count++;
  return count >= printable * bytes.length && entropyOf(bytes) >= textEntropy;
};

/** Minimum number of digits for a verdict on hexadecimal or base64. */
const fewestDigits = 400;
/** Minimum number of different digits in hexadecimal. */
const fewestHex = 8;
/** Minimum number of different digits in base64. */
const fewestBase64 = 16;
/** Minimum share of capital letters, of small letters and of digits in base64. */
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
 * Checks whether all bytes are digits of hexadecimal or base64. Samples that range from digits to letters also have
 * values between digits and letters. Stops at the first byte that is not a digit.
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

/**
 * Returns the audio format in the header of a WAV file; null if the header is incomplete or its format is unsupported.
 */
export const wavFormatOf = (head: Uint8Array): WavFormat | null => {
  try {
    return layoutIn(head, '').format;
  } catch {
    return null;
  }
};

import { containerOf } from '../files/sniff.js';
import { type WavFormat, wavLayout } from '../files/wav.js';
import { entropyOf } from './byte-statistics.js';

/** A form of file that a client may send in place of frames, with the name that its users know. */
export interface FoundContainer {
  readonly container: string;
  readonly title: string;
}

const titles: Readonly<Record<string, string>> = {
  wav: 'a WAV file',
  ogg: 'an Ogg file',
  webm: 'a WebM file',
  mp4: 'an MP4 file',
  mp3: 'an MP3 file',
};

const marks: readonly (readonly [mark: string, at: number, container: string, title: string])[] = [
  ['fLaC', 0, 'flac', 'a FLAC file'],
  ['caff', 0, 'caf', 'a CAF file'],
  ['AIF', 8, 'aiff', 'an AIFF file'],
  ['.snd', 0, 'au', 'an AU file'],
  ['#!AMR', 0, 'amr', 'an AMR file'],
];

const isAt = (head: Uint8Array, at: number, text: string): boolean =>
  [...text].every((letter, index) => head[at + index] === letter.charCodeAt(0));

/** The bare frames of MPEG audio have no mark that PCM could not have, too. */
const isBareMpeg = (head: Uint8Array): boolean => head[0] === 0xff;

/** The form of file that the first message of a stream begins, or null. */
export const fileIn = (head: Uint8Array): FoundContainer | null => {
  for (const [mark, at, container, title] of marks) {
    if (isAt(head, at, mark) && (at === 0 || isAt(head, 0, 'FORM'))) return { container, title };
  }
  const container = containerOf(head);
  if (container === null || isBareMpeg(head)) return null;
  return { container, title: titles[container] ?? 'a file' };
};

/** Share of bytes that are printable, and bits that each carries, of text. */
const printable = 0.99;
const textEntropy = 3.8;

/** Whether bytes are text, as base64, hexadecimal digits or JSON. Samples of a narrow range may be printable, too, but carry fewer bits. */
export const isText = (bytes: Uint8Array): boolean => {
  let count = 0;
  for (const byte of bytes) if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d) count++;
  return count >= printable * bytes.length && entropyOf(bytes) >= textEntropy;
};

/** What the header of a WAV file says; null where the message does not have all of it, or says what is not read here. */
export const wavFormatOf = (head: Uint8Array): WavFormat | null => {
  try {
    return wavLayout(head, head.length, '').format;
  } catch {
    return null;
  }
};

/** Kinds of logical streams in an Ogg file. `other` means pictures and subtitles. */
export type StreamKind = 'opus' | 'audio' | 'other' | 'unknown';

const starts: readonly (readonly [string, StreamKind])[] = [
  ['OpusHead', 'opus'],
  ['\x01vorbis', 'audio'],
  ['\x7fFLAC', 'audio'],
  ['fLaC', 'audio'],
  ['Speex   ', 'audio'],
  ['PCM     ', 'audio'],
  ['CELT    ', 'audio'],
  ['fishead', 'other'],
  ['\x80theora', 'other'],
  ['\x80daala', 'other'],
  ['OVP80', 'other'],
  ['BBCD', 'other'],
  ['\x01video', 'other'],
  ['\x01text', 'other'],
  ['\x80kate', 'other'],
  ['CMML', 'other'],
  ['index\0', 'other'],
];

/** Checks whether bytes begin with the characters of a text. Each character is one byte. */
export const startsWith = (bytes: Uint8Array, text: string): boolean =>
  bytes.length >= text.length && [...text].every((letter, index) => bytes[index] === letter.charCodeAt(0));

/** Returns the kind of a stream by its first packet. */
export const kindOf = (packet: Uint8Array): StreamKind =>
  starts.find(([start]) => startsWith(packet, start))?.[1] ?? 'unknown';

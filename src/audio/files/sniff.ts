/** Forms of audio files that are told apart by their first bytes. */
export type Container = 'wav' | 'ogg' | 'webm' | 'mp4' | 'mp3';

/** Bytes that are enough to tell. */
export const sniffedBytes = 16;

const isAt = (head: Uint8Array, offset: number, text: string): boolean =>
  [...text].every((letter, index) => head[offset + index] === letter.charCodeAt(0));

/** The form of a file by its first bytes; null for one that is none of these. What a client calls the file means nothing. */
export const containerOf = (head: Uint8Array): Container | null => {
  if (isAt(head, 0, 'RIFF') && isAt(head, 8, 'WAVE')) return 'wav';
  if (isAt(head, 0, 'OggS')) return 'ogg';
  if (isAt(head, 0, '\x1a\x45\xdf\xa3')) return 'webm';
  if (['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].some((name) => isAt(head, 4, name))) return 'mp4';
  // A tag, or the sync word of layer III.
  if (isAt(head, 0, 'ID3') || (head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2)) return 'mp3';
  return null;
};

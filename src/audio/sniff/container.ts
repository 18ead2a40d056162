/** Audio file formats that are recognised by their first bytes. */
export type Container =
  | 'wav'
  | 'w64'
  | 'aiff'
  | 'caf'
  | 'au'
  | 'flac'
  | 'amr'
  | 'ogg'
  | 'webm'
  | 'mp4'
  | 'aac'
  | 'mp3';

/** Number of bytes at the beginning of a file that suffice to recognise its format. */
export const sniffedBytes = 16;

/** Checks whether the bytes contain a text at an offset. */
export const isAt = (head: Uint8Array, offset: number, text: string): boolean =>
  [...text].every((letter, index) => head[offset + index] === letter.charCodeAt(0));

const riffs = ['RIFF', 'RF64', 'BW64', 'RIFX'];
/** Names of the atoms with which an MP4 or QuickTime file may begin. */
const atoms = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'styp', 'moof'];

/**
 * Returns the layer of the MPEG audio frame at the beginning of the bytes; undefined if they are no valid head. ADTS
 * has layer 0.
 */
const layerOf = (head: Uint8Array): number | undefined => {
  const second = head[1] ?? 0;
  // The version with the bits 01 is reserved, so such a head is invalid.
  if (head[0] !== 0xff || (second & 0xe0) !== 0xe0 || (second & 0x18) === 0x08) return undefined;
  return (second & 0x06) >> 1;
};

/** Returns the format of a file by its first bytes; null if unknown. Ignores the file name. */
export const containerOf = (head: Uint8Array): Container | null => {
  if (riffs.some((name) => isAt(head, 0, name)) && isAt(head, 8, 'WAVE')) return 'wav';
  if (isAt(head, 0, 'riff\x2e\x91\xcf\x11')) return 'w64';
  if (isAt(head, 0, 'FORM') && (isAt(head, 8, 'AIFF') || isAt(head, 8, 'AIFC'))) return 'aiff';
  if (isAt(head, 0, 'caff')) return 'caf';
  if (isAt(head, 0, '.snd')) return 'au';
  if (isAt(head, 0, 'fLaC')) return 'flac';
  if (isAt(head, 0, '#!AMR')) return 'amr';
  if (isAt(head, 0, 'OggS')) return 'ogg';
  if (isAt(head, 0, '\x1a\x45\xdf\xa3')) return 'webm';
  if (atoms.some((name) => isAt(head, 4, name))) return 'mp4';
  if (isAt(head, 0, 'ID3')) return 'mp3';
  const layer = layerOf(head);
  if (layer === undefined) return null;
  // AAC frames in ADTS, of MPEG-4 and MPEG-2, have a longer sync word than MP3 frames.
  return layer === 0 ? ((head[1]! & 0xf0) === 0xf0 ? 'aac' : null) : 'mp3';
};

/**
 * Checks whether bytes certainly begin a file. Excludes plain frames of MPEG audio, because samples may look like their
 * sync word.
 */
export const isSurelyFile = (head: Uint8Array): boolean => containerOf(head) !== null && head[0] !== 0xff;

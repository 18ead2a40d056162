import { OpusReader } from './opus-reader.js';

/** The Opus packets of an Ogg file without its header packets, and the comments of the first link. */
export interface OpusFile {
  readonly packets: readonly Uint8Array[];
  readonly channels: number;
  /** The first 1000 comments of the file, as `NAME=value`. Empty if the header is damaged. */
  readonly comments: readonly string[];
  /** Why audio is missing from the file; null if nothing suggests missing audio. */
  readonly incomplete: string | null;
}

/** Maximum number of comments that are read. */
const mostComments = 1000;

const isTags = (packet: Uint8Array): boolean =>
  Buffer.from(packet.buffer, packet.byteOffset, Math.min(8, packet.length)).toString('latin1') === 'OpusTags';

/**
 * Reads the Opus packets of an Ogg file in memory, as `OpusReader` does.
 * @param longest maximum duration of the audio in ms.
 * @throws CochleaError `audio_file_unsupported` as `OpusReader` does.
 */
export const readOggOpus = (bytes: Uint8Array, path: string, longest?: number): OpusFile => {
  const reader = new OpusReader(path, longest);
  const packets = reader.read(bytes);
  const { channels, tags, packets: last, incomplete } = reader.end();
  return { packets: [...packets, ...last], channels, comments: commentsOf(tags), incomplete };
};

/** Returns the comments of an OpusTags packet. */
const commentsOf = (packet: Uint8Array | undefined): string[] => {
  if (packet === undefined || !isTags(packet)) return [];
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  const comments: string[] = [];
  let at = 8;
  const text = (): string | undefined => {
    if (at + 4 > bytes.length) return undefined;
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) return undefined;
    const found = bytes.toString('utf8', at + 4, end);
    at = end;
    return found;
  };
  // The first text is the name of the program that wrote the file. It is no comment.
  if (text() === undefined || at + 4 > bytes.length) return comments;
  const count = bytes.readUInt32LE(at);
  at += 4;
  for (let index = 0; index < Math.min(count, mostComments); index++) {
    const comment = text();
    if (comment === undefined) break;
    comments.push(comment);
  }
  return comments;
};

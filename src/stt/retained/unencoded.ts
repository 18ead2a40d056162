import { unreadable } from '../storage/index.js';
import { mostSamples, type RetainedSpeech } from './codec.js';
import { parseRecord, type RetainedRecord } from './record.js';

/** First bytes of a file, which identify the file format and its version. */
const mark = Buffer.from('CCHP1', 'latin1');
const sampleBytes = Int16Array.BYTES_PER_ELEMENT;
const lengthBytes = 4;
/** Maximum size in bytes of the mark, the length field and the record together. */
const longestRecord = 65_536;

/**
 * Writes retained audio as PCM. Used when there is no time to encode it. The file contains the mark, the record's
 * length (32 bits, little-endian), the record as JSON, and the samples (16 bits, little-endian).
 * @param pcm mono, 16 kHz.
 */
export const writeUnencoded = (pcm: Int16Array, record: RetainedRecord): Buffer => {
  const text = Buffer.from(JSON.stringify(record));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(text.length);
  return Buffer.concat([mark, length, text, Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength)]);
};

/**
 * Reads a file that `writeUnencoded` wrote.
 * @param path name of the file for error messages.
 * @throws CochleaError retained_audio_unreadable
 */
export const readUnencoded = (bytes: Buffer, path: string): RetainedSpeech => {
  const head = mark.length + lengthBytes;
  if (bytes.length < head || !bytes.subarray(0, mark.length).equals(mark))
    return unreadable(path, 'it is not a file of this service');
  if (bytes.length > longestRecord + mostSamples * sampleBytes)
    return unreadable(path, 'it is longer than any utterance');
  const from = head + bytes.readUInt32LE(mark.length);
  const record = parseRecord(bytes.toString('utf8', head, from)) ?? unreadable(path, 'it contains no record');
  const samples = bytes.subarray(from);
  if (samples.length !== record.samples * sampleBytes) unreadable(path, 'its length differs from its record');
  return { record, pcm: new Int16Array(Uint8Array.from(samples).buffer) };
};

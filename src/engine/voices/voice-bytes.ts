import { crc32 } from 'node:zlib';
import { fixedLimits } from '../../config/limits/index.js';
import { scaled, type Voice, type VoiceState } from '../../transcript/index.js';
import { quantised } from './history.js';
import type { RecognitionModel } from './recognition.js';

/**
 * Voices of a conversation as bytes, which one engine stores and another engine reads. Numbers are little-endian:
 *
 * - version (1 byte), CRC-32 of the rest (4)
 * - length of the model's name (1), the name in ASCII, dimensions of a vector (2)
 * - number of the next voice (4), number of windows so far (4), number of voices (1)
 * - for each voice: number (4), weight (2), windows (4), last window (4), then one signed byte for each dimension
 *
 * A vector is scaled so that its largest component is 127. A different format needs a different version number.
 */
const version = 1;
const checked = 5;
const voiceHead = 14;

/** The model that made the vectors. Vectors of two models cannot be compared. */
type VectorModel = Pick<RecognitionModel, 'model' | 'dimensions'>;

/**
 * Encodes the voices of a conversation, without windows. If they need more than `fixedLimits.storedVoices` bytes, the
 * voices with the fewest windows are left out.
 */
export const encodeVoices = (state: VoiceState, { model, dimensions }: VectorModel): Uint8Array => {
  const name = Buffer.from(model, 'latin1');
  const head = checked + 1 + name.length + 2 + 4 + 4 + 1;
  const size = voiceHead + dimensions;
  const most = Math.min(255, Math.max(0, Math.floor((fixedLimits.storedVoices.value - head) / size)));
  const kept = [...state.voices].sort((one, other) => other.windows - one.windows).slice(0, most);
  const bytes = Buffer.alloc(head + kept.length * size);
  bytes.writeUInt8(version, 0);
  let at = bytes.writeUInt8(name.length, checked);
  at += name.copy(bytes, at);
  at = bytes.writeUInt16LE(dimensions, at);
  at = bytes.writeUInt32LE(state.next, at);
  at = bytes.writeUInt32LE(state.count, at);
  at = bytes.writeUInt8(kept.length, at);
  for (const { number, weight, windows, last, mean } of kept) {
    at = bytes.writeUInt32LE(number, at);
    at = bytes.writeUInt16LE(Math.min(0xffff, Math.round(weight)), at);
    at = bytes.writeUInt32LE(windows, at);
    at = bytes.writeUInt32LE(last, at);
    bytes.set(new Uint8Array(quantised(mean).buffer), at);
    at += dimensions;
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(checked)), 1);
  return bytes;
};

/**
 * Decodes the voices of a conversation.
 * @returns undefined if the bytes are damaged, of another version, or of another model.
 */
export const decodeVoices = (
  stored: Uint8Array,
  { model, dimensions }: VectorModel,
): VoiceState | undefined => {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const head = checked + 1 + model.length + 2 + 4 + 4 + 1;
  if (bytes.length < head || bytes.length > fixedLimits.storedVoices.value) return undefined;
  if (bytes[0] !== version || bytes.readUInt32LE(1) !== crc32(bytes.subarray(checked))) return undefined;
  if (bytes[checked] !== model.length) return undefined;
  let at = checked + 1 + model.length;
  if (bytes.toString('latin1', checked + 1, at) !== model || bytes.readUInt16LE(at) !== dimensions)
    return undefined;
  const next = bytes.readUInt32LE(at + 2);
  const count = bytes.readUInt32LE(at + 6);
  const size = voiceHead + dimensions;
  if (bytes.length !== head + bytes[at + 10]! * size) return undefined;
  const voices: Voice[] = [];
  for (at = head; at < bytes.length; at += size) {
    const direction = new Int8Array(bytes.subarray(at + voiceHead, at + size));
    voices.push({
      number: bytes.readUInt32LE(at),
      weight: bytes.readUInt16LE(at + 4),
      windows: bytes.readUInt32LE(at + 6),
      last: bytes.readUInt32LE(at + 10),
      mean: scaled(Float32Array.from(direction)),
    });
  }
  const numbers = new Set(voices.map(({ number }) => number));
  const valid = numbers.size === voices.length && voices.every(({ number }) => number < next);
  return valid ? { voices, windows: [], count, next } : undefined;
};

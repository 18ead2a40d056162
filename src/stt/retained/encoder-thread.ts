import { encodeRetained } from './codec.js';
import type { RetainedRecord } from './record.js';

export interface EncoderTask {
  /** Mono samples at 16 kHz. */
  readonly pcm: Int16Array;
  readonly record: RetainedRecord;
}

/** Encodes retained audio. Runs as a task of the encoder thread. @returns the bytes of the file, not encrypted. */
export default ({ pcm, record }: EncoderTask): Uint8Array => encodeRetained(pcm, record);

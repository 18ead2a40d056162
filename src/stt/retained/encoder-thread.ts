import { encodeRetained } from './codec.js';
import type { RetainedRecord } from './record.js';

export interface EncoderTask {
  /** Mono, 16 kHz. */
  readonly pcm: Int16Array;
  readonly record: RetainedRecord;
}

/** A task of the thread that encodes retained audio. @returns the bytes of the file, before they are encrypted. */
export default ({ pcm, record }: EncoderTask): Uint8Array => encodeRetained(pcm, record);

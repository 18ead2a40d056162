import type { StagingOptions } from '../../audio/files/index.js';
import type { RecordingDecoder } from '../../audio/recording/index.js';

/** Computes voice embeddings for speech profiles. */
export interface EnrolmentWork
  extends Pick<StagingOptions, 'folder' | 'longest' | 'decodeContainer' | 'readOgg'> {
  readonly decoder: Pick<RecordingDecoder, 'decode'>;
  /** The speaker model, and the ms of speech that a profile needs. */
  readonly model: string;
  readonly leastSpeech: number;
  /**
   * Embeddings of a recording's voice in several conditions, and the ms of speech in it.
   * @param pcm mono 16 kHz, transferred.
   */
  embed(pcm: Int16Array): Promise<{ readonly speech: number; readonly embeddings: readonly Float32Array[] }>;
}

import type { StagingOptions } from '../../audio/files/index.js';
import type { RecordingDecoder } from '../../audio/recording/index.js';

/** Computes voice embeddings for speech profiles. */
export interface EnrolmentWork
  extends Pick<StagingOptions, 'folder' | 'longest' | 'decodeContainer' | 'readOgg'> {
  readonly decoder: Pick<RecordingDecoder, 'decode'>;
  /** Name of the speaker model. */
  readonly model: string;
  /** Minimum ms of speech that a profile needs. */
  readonly leastSpeech: number;
  /**
   * Computes voice embeddings of a recording, some of them with added noise. Also returns the ms of speech in the
   * recording.
   * @param pcm mono samples at 16 kHz. Their memory is transferred.
   */
  embed(pcm: Int16Array): Promise<{ readonly speech: number; readonly embeddings: readonly Float32Array[] }>;
}

import type { StagingOptions } from '../../audio/files/index.js';
import type { RecordingDecoder } from '../../audio/recording/index.js';

/** Computes voice embeddings for speech profiles. */
export interface EnrolmentWork
  extends Pick<StagingOptions, 'folder' | 'longest' | 'decodeContainer' | 'readOgg'> {
  readonly decoder: Pick<RecordingDecoder, 'decode'>;
  /** Name of the speaker model, and minimum ms of speech for a profile. */
  readonly model: string;
  readonly leastSpeech: number;
  /**
   * Computes embeddings of a recording's voice, with and without added noise, and the ms of speech in the recording.
   * @param pcm mono samples at 16 kHz. Their memory is transferred.
   */
  embed(pcm: Int16Array): Promise<{ readonly speech: number; readonly embeddings: readonly Float32Array[] }>;
}

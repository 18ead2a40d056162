import type { StagingOptions } from '../../audio/files/index.js';
import type { RecordingDecoder } from '../../audio/recording/index.js';
import type { TranscriptionClient } from '../../stt/index.js';

/** What voice messages are transcribed with. */
export interface VoiceWork extends Pick<StagingOptions, 'folder' | 'longest' | 'decodeContainer'> {
  readonly decoder: Pick<RecordingDecoder, 'decode'>;
  readonly transcription: Pick<TranscriptionClient, 'transcribe'>;
  /** Name of what transcribes, and of its model, as answers have them. */
  readonly provider: string;
  readonly model: string;
  /** Whether it knows a language, by the base of its code, or `multi`. */
  readonly supports: (language: string) => boolean;
}

import type { StagingOptions } from '../../audio/files/index.js';
import type { RecordingDecoder } from '../../audio/recording/index.js';
import type { PolicyRecognisers } from '../../stt/providers/index.js';

/** What voice messages are transcribed with. */
export interface VoiceWork
  extends Pick<StagingOptions, 'folder' | 'longest' | 'decodeContainer' | 'readOgg'> {
  readonly decoder: Pick<RecordingDecoder, 'decode'>;
  readonly transcription: Pick<PolicyRecognisers, 'for' | 'modelOf' | 'transcribe'>;
  /** Name of the first provider of the policy. */
  readonly provider: string;
  /** Whether it knows a language, by the base of its code, or `multi`. */
  readonly supports: (language: string) => boolean;
}

import type { StagingOptions } from '../../audio/files/index.js';
import type { RecordingDecoder } from '../../audio/recording/index.js';
import type { PolicyRecognisers, SpeakerLanguages } from '../../stt/providers/index.js';

/** The dependencies of the transcription of voice messages. */
export interface VoiceWork
  extends Pick<StagingOptions, 'folder' | 'longest' | 'decodeContainer' | 'readOgg'> {
  readonly decoder: Pick<RecordingDecoder, 'decode'>;
  readonly transcription: Pick<PolicyRecognisers, 'for' | 'modelOf' | 'transcribe'>;
  /** Name of the first transcription provider in the policy. */
  readonly provider: string;
  /** Returns the languages that a user may speak. */
  readonly speakerLanguages: SpeakerLanguages;
  /** Whether the provider supports a language, given as a base code or `multi`. */
  readonly supports: (language: string) => boolean;
}

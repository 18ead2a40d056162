import type { RecordingWork } from '../../src/pipeline/words/recordings.js';

/** A fake transcription service that always returns the same text. */
export const fewWords: RecordingWork['transcription'] = {
  transcribe: async () => ({
    outcome: 'success',
    text: 'A few words.',
    provider: 'local',
    waited: 0,
    decoded: 0,
  }),
  close: async () => undefined,
};

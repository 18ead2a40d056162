import type { Provider, UtteranceRequest, UtteranceResult } from './provider.js';

/**
 * Takes a provider's place in benchmarks of everything before it (`COCHLEA_STT=discard`): every utterance is let go as
 * silence. Serves every language.
 */
export const createDiscardProvider = (): Provider => ({
  name: 'discard',
  capabilities: { audio: 'utterances', supports: () => true, diarizes: false },
  connect: async () => ({
    transcribe: async ({ id }: UtteranceRequest): Promise<UtteranceResult> => ({
      id,
      outcome: 'expected_silence',
      text: '',
      provider: 'discard',
      waited: 0,
      decoded: 0,
    }),
    finish: async () => {},
  }),
});

import { MessageChannel } from 'node:worker_threads';
import type { Provider, UtteranceRequest, UtteranceResult } from './provider.js';

/** A port with nobody behind it: what is sent there is freed at once. */
const nowhere = (() => {
  const { port1, port2 } = new MessageChannel();
  port1.close();
  return port2;
})();

/**
 * Takes a provider's place in benchmarks of everything before it (`COCHLEA_STT=discard`): every utterance is let go as
 * silence. Serves every language.
 */
export const createDiscardProvider = (): Provider => ({
  name: 'discard',
  capabilities: { audio: 'utterances', supports: () => true, diarizes: false },
  connect: async () => ({
    transcribe: async ({ id, pcm }: UtteranceRequest): Promise<UtteranceResult> => {
      // Taken from this thread as by any provider, not left to its garbage collector.
      nowhere.postMessage(undefined, [pcm.buffer as ArrayBuffer]);
      return {
        id,
        outcome: 'expected_silence',
        text: '',
        provider: 'discard',
        waited: 0,
        decoded: 0,
      };
    },
    finish: async () => {},
  }),
});

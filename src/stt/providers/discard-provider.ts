import { MessageChannel } from 'node:worker_threads';
import {
  resultOf,
  type UtteranceProvider,
  type UtteranceRequest,
  type UtteranceResult,
} from '../shared/index.js';

/** A port with a closed peer: memory transferred to it is freed at once. */
const nowhere = (() => {
  const { port1, port2 } = new MessageChannel();
  port1.close();
  return port2;
})();

/**
 * Replaces the provider in benchmarks of the parts before it (`COCHLEA_STT=discard`). Every utterance is discarded and
 * answered as silence. Supports every language.
 */
export const createDiscardProvider = (): UtteranceProvider => ({
  name: 'discard',
  capabilities: {
    audio: 'utterances',
    supports: () => true,
    diarizes: false,
    interim: false,
    wordTimes: false,
  },
  connect: async () => ({
    transcribe: async ({ id, pcm }: UtteranceRequest): Promise<UtteranceResult> => {
      // The samples leave this thread as with any provider, rather than waiting for the garbage collector.
      nowhere.postMessage(undefined, [pcm.buffer as ArrayBuffer]);
      return { id, ...resultOf('expected_silence', 'discard') };
    },
    finish: async () => {},
  }),
});

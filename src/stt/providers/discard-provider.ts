import { MessageChannel } from 'node:worker_threads';
import {
  resultOf,
  type UtteranceProvider,
  type UtteranceRequest,
  type UtteranceResult,
} from '../shared/index.js';

/** A port whose peer is closed. Memory that is transferred to it is freed at once. */
const nowhere = (() => {
  const { port1, port2 } = new MessageChannel();
  port1.close();
  return port2;
})();

/**
 * Creates a provider that discards every utterance and reports silence. Benchmarks use it (`COCHLEA_STT=discard`)
 * to measure the code before the provider. It supports every language.
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
      // Transfers the samples away, as other providers do, so that their memory is freed without the garbage
      // collector.
      nowhere.postMessage(undefined, [pcm.buffer as ArrayBuffer]);
      return { id, ...resultOf('expected_silence', 'discard') };
    },
    finish: async () => {},
  }),
});

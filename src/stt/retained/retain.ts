import type { MessagePort } from 'node:worker_threads';
import { answerQuestions, askQuestions } from '../../common/index.js';
import { transferable, type UtteranceRequest } from '../shared/index.js';

/**
 * Stores the audio of an utterance that no provider transcribed, so that it can be transcribed later.
 * @param reason why no provider transcribed it, in one word.
 * @returns the key of the stored audio. Undefined if it could not be stored; the utterance is then lost and counted
 * as lost. Never rejects.
 */
export type RetainAudio = (request: UtteranceRequest, reason: string) => Promise<string | undefined>;

/** Message of the shard to the main thread. The samples are transferred. */
interface RetainQuestion {
  readonly request: UtteranceRequest;
  readonly reason: string;
}

/**
 * Creates the shard's end of the channel to the store of retained audio, which the main thread owns. The port keeps the
 * thread alive only while an answer is outstanding. The caller created the port and closes it. When the port closes,
 * outstanding calls resolve with undefined, but the main thread still stores the audio that it received.
 */
export const createRetainer = (port: MessagePort): RetainAudio => {
  const ask = askQuestions<RetainQuestion, string | undefined>(port, undefined, true);
  return async (request, reason) => {
    // The samples were already transferred to a provider, so this thread cannot store them.
    if (request.pcm.length === 0) return undefined;
    const pcm = transferable(request.pcm);
    return ask({ request: { ...request, pcm }, reason }, [pcm.buffer]);
  };
};

/**
 * Stores the audio of a shard on the main thread, and answers the shard. Audio that arrived before the port closed
 * is stored too.
 */
export const serveRetainer = (port: MessagePort, keep: RetainAudio): void =>
  answerQuestions<RetainQuestion, string | undefined>(port, ({ request, reason }) => keep(request, reason));

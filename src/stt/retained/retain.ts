import type { MessagePort } from 'node:worker_threads';
import { answerQuestions, askQuestions } from '../../common/index.js';
import { transferable, type UtteranceRequest } from '../shared/index.js';

/**
 * Stores the audio of an utterance that no provider transcribed, for later transcription.
 * @param reason why no provider transcribed it, one word.
 * @returns the key of the stored audio; undefined when it could not be stored. The utterance is then lost and counted
 *   as lost. Never rejects.
 */
export type RetainAudio = (request: UtteranceRequest, reason: string) => Promise<string | undefined>;

/** Message from shard to main thread. The samples are transferred. */
interface RetainQuestion {
  readonly request: UtteranceRequest;
  readonly reason: string;
}

/**
 * The shard's end of the store of retained audio, which the main thread owns. The port keeps the thread alive only
 * while an answer is outstanding. The caller made the port and closes it. Outstanding calls then resolve with
 * undefined, although the main thread still stores audio it has received.
 */
export const createRetainer = (port: MessagePort): RetainAudio => {
  const ask = askQuestions<RetainQuestion, string | undefined>(port, undefined, true);
  return async (request, reason) => {
    // The samples were transferred to a provider, so this thread no longer has them.
    if (request.pcm.length === 0) return undefined;
    const pcm = transferable(request.pcm);
    return ask({ request: { ...request, pcm }, reason }, [pcm.buffer]);
  };
};

/** The main thread's end: stores audio of a shard and answers. Audio received before the port closed is stored. */
export const serveRetainer = (port: MessagePort, keep: RetainAudio): void =>
  answerQuestions<RetainQuestion, string | undefined>(port, ({ request, reason }) => keep(request, reason));

import type { MessagePort } from 'node:worker_threads';
import { answerQuestions, askQuestions } from '../../common/index.js';
import { transferable, type UtteranceRequest } from '../shared/index.js';

/**
 * Keeps the audio of an utterance that no provider took, so that it is transcribed later.
 * @param reason why no provider took it, one word.
 * @returns the key under which it is stored; undefined when it could not be stored: then the utterance is lost, and counted as
 *   such. Never rejects.
 */
export type RetainAudio = (request: UtteranceRequest, reason: string) => Promise<string | undefined>;

/** Shard to main thread; the samples are transferred. */
interface RetainQuestion {
  readonly request: UtteranceRequest;
  readonly reason: string;
}

/**
 * The shard's end of the store of retained audio, which the main thread owns. The port keeps the thread alive only while an
 * answer is awaited; the caller, who made the port, closes it. Then what is still awaited resolves with undefined, although the main
 * thread stores what had reached it.
 */
export const createRetainer = (port: MessagePort): RetainAudio => {
  const ask = askQuestions<RetainQuestion, string | undefined>(port, undefined, true);
  return async (request, reason) => {
    // Samples that were transferred to a provider are not here any more.
    if (request.pcm.length === 0) return undefined;
    const pcm = transferable(request.pcm);
    return ask({ request: { ...request, pcm }, reason }, [pcm.buffer]);
  };
};

/** The main thread's end: stores what a shard sends, and answers. What came before the port closed is stored. */
export const serveRetainer = (port: MessagePort, keep: RetainAudio): void =>
  answerQuestions<RetainQuestion, string | undefined>(port, ({ request, reason }) => keep(request, reason));

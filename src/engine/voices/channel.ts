import type { MessagePort } from 'node:worker_threads';
import { answerQuestions, askQuestions } from '../../common/index.js';
import type { PackedVoices } from './history.js';
import type { VoiceJob, VoiceResult } from './stream.js';

/**
 * Tells the voices of an utterance apart.
 * @returns undefined when it cannot be done: too much waits, there is no model, or the engine ends. Never rejects.
 */
export type TellVoices = (job: VoiceJob) => Promise<VoiceResult | undefined>;

/**
 * Decides anew whose voice each entry of a conversation's history is.
 * @returns undefined as `TellVoices`. Never rejects.
 */
export type ReviseVoices = (history: PackedVoices) => Promise<Int32Array | undefined>;

/** What the jobs pool does for shards. */
export interface VoiceWork {
  readonly tell: TellVoices;
  readonly revise: ReviseVoices;
}

/** Shard to main thread; the samples of the utterance, or the history, are transferred. */
type VoiceQuestion = { readonly job: VoiceJob } | { readonly history: PackedVoices };

/** Main thread to shard. */
type VoiceAnswer = VoiceResult | Int32Array | undefined;

/**
 * The shard's end of the jobs pool, which the main thread owns. The port keeps no thread alive; the caller, who made it, closes it.
 * Then what is awaited resolves with undefined.
 */
export const createVoices = (port: MessagePort): VoiceWork => {
  const ask = askQuestions<VoiceQuestion, VoiceAnswer>(port, undefined);
  return {
    tell: (job) => ask({ job }, [job.pcm.buffer]) as ReturnType<TellVoices>,
    revise: (history) => ask({ history }, [history.directions.buffer]) as ReturnType<ReviseVoices>,
  };
};

/** The main thread's end. */
export const serveVoices = (port: MessagePort, { tell, revise }: VoiceWork): void =>
  answerQuestions<VoiceQuestion, VoiceAnswer>(port, (question) =>
    'job' in question ? tell(question.job) : revise(question.history),
  );

import type { MessagePort } from 'node:worker_threads';
import { answerQuestions, askQuestions } from '../../common/index.js';
import type { PackedVoices } from './history.js';
import type { VoiceJob, VoiceResult } from './stream.js';

/**
 * Diarizes a piece of audio.
 * @returns undefined if the queue is full, no model is available, or the engine is stopping. Never rejects.
 */
export type TellVoices = (job: VoiceJob) => Promise<VoiceResult | undefined>;

/**
 * Assigns a voice again to each entry of a conversation's history.
 * @returns undefined in the same cases as `TellVoices`. Never rejects.
 */
export type ReviseVoices = (history: PackedVoices) => Promise<Int32Array | undefined>;

/** Tasks that the jobs pool runs for shards. */
export interface VoiceWork {
  readonly tell: TellVoices;
  readonly revise: ReviseVoices;
}

/**
 * Message of the shard to the main thread. The samples of the job, or the directions of the history, are
 * transferred.
 */
type VoiceQuestion = { readonly job: VoiceJob } | { readonly history: PackedVoices };

/** Message of the main thread to the shard. */
type VoiceAnswer = VoiceResult | Int32Array | undefined;

/**
 * Creates the shard's end of the channel to the jobs pool, which the main thread owns. The port does not keep the
 * shard's thread alive. The caller created the port and closes it. Calls that are still pending then resolve with
 * undefined.
 */
export const createVoices = (port: MessagePort): VoiceWork => {
  const ask = askQuestions<VoiceQuestion, VoiceAnswer>(port, undefined);
  return {
    tell: (job) => ask({ job }, [job.pcm.buffer]) as ReturnType<TellVoices>,
    revise: (history) => ask({ history }, [history.directions.buffer]) as ReturnType<ReviseVoices>,
  };
};

/** Answers the requests of a shard. Call it on the main thread. */
export const serveVoices = (port: MessagePort, { tell, revise }: VoiceWork): void =>
  answerQuestions<VoiceQuestion, VoiceAnswer>(port, (question) =>
    'job' in question ? tell(question.job) : revise(question.history),
  );

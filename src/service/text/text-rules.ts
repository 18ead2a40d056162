import type { Relevance, SaidTranscript, StructureExtractor } from '../structure/language/index.js';
import type { MeasuredGoal, StatedMemory, StatedProgress } from '../structure/statements/index.js';
import { extractiveExtractor } from '../structure/summary/index.js';
import { packed } from './packed-transcript.js';
import { type RunTextTask, type TextTaskInput, type TextTaskResult, textTasks } from './text-tasks.js';

/**
 * The built-in rules for users' texts. They read a transcript up to the limit `ruledText`.
 * @throws (all methods) CochleaError `texts_full`, `text_given_up`.
 */
export interface TextRules extends StructureExtractor {
  /** Decides whether a conversation is worth keeping. */
  relevance(transcript: SaidTranscript, uid: string): Promise<Relevance>;
  /** Finds facts that the user stated. */
  memories(transcript: SaidTranscript, uid: string): Promise<readonly StatedMemory[]>;
  /** Finds the user's statements about goals. */
  progress(
    transcript: SaidTranscript,
    goals: readonly MeasuredGoal[],
    uid: string,
  ): Promise<readonly StatedProgress[]>;
  /** Finds sentences of a conversation that may answer a question. */
  sentences(asked: TextTaskInput<'sentences'>, uid: string): Promise<TextTaskResult<'sentences'>>;
}

/** Creates the rules. `run` runs them, on a thread of its choice. */
export const textRules = (run: RunTextTask): TextRules => ({
  name: extractiveExtractor.name,
  extract: (transcript, uid) => run('extract', packed(transcript), uid),
  relevance: (transcript, uid) => run('relevance', packed(transcript), uid),
  memories: (transcript, uid) => run('memories', packed(transcript), uid),
  progress: (transcript, goals, uid) =>
    run(
      'progress',
      { transcript: packed(transcript), goals: goals.map(({ id, title, unit }) => ({ id, title, unit })) },
      uid,
    ),
  sentences: (asked, uid) => run('sentences', asked, uid),
});

/** The rules on the calling thread. For tests, and for programs that serve no requests at the same time. */
export const rulesHere: TextRules = textRules(async (name, input) => {
  const task = textTasks[name] as (given: typeof input) => TextTaskResult<typeof name>;
  return task(input);
});

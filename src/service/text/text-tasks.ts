import { type MeasuredGoal, statedMemories, statedProgress } from '../structure/statements/index.js';
import { extractiveExtractor, relevanceOf } from '../structure/summary/index.js';
import { type PackedTranscript, unpacked } from './packed-transcript.js';
import { rankedSentences } from './ranked-sentences.js';
import { readJson } from './read-json.js';

/** Work on users' texts, by name. Each task has one parameter and one result. Both can be transferred to a thread. */
export const textTasks = {
  extract: (transcript: PackedTranscript) => extractiveExtractor.extract(unpacked(transcript)),
  relevance: (transcript: PackedTranscript) => relevanceOf(unpacked(transcript).segments),
  memories: (transcript: PackedTranscript) => statedMemories(unpacked(transcript)),
  progress: ({
    transcript,
    goals,
  }: {
    readonly transcript: PackedTranscript;
    readonly goals: readonly MeasuredGoal[];
  }) => statedProgress(unpacked(transcript), goals),
  sentences: rankedSentences,
  json: readJson,
} as const;

export type TextTaskName = keyof typeof textTasks;
export type TextTaskInput<Name extends TextTaskName> = Parameters<(typeof textTasks)[Name]>[0];
export type TextTaskResult<Name extends TextTaskName> = Awaited<ReturnType<(typeof textTasks)[Name]>>;

/** A function that runs a task on some thread. @param uid owner of the text. Users take turns. */
export type RunTextTask = <Name extends TextTaskName>(
  name: Name,
  input: TextTaskInput<Name>,
  uid: string,
) => Promise<TextTaskResult<Name>>;

/** Finds facts about the wearer and progress of goals in the wearer's sentences. */
export { type StatedMemory, statedMemories } from './memories.js';
export { type MeasuredGoal, type StatedProgress, statedProgress } from './progress.js';

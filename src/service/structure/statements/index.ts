/** Finds facts and progress that the wearer stated. */
export { type StatedMemory, statedMemories } from './memories.js';
export { type MeasuredGoal, type StatedProgress, statedProgress } from './progress.js';

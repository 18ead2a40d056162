/** Answers questions from a user's conversations. */
export { type AskParts, answerQuestion, askBounds } from './answer-question.js';
export { extractiveAnswer } from './extractive-answer.js';
export type { Source } from './passages.js';
export { type FoundSources, findSources, momentFormat, sourcesForModel } from './question-sources.js';

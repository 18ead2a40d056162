/** The client of a language model: fair queueing of users, retries, structured answers. */
export { Breaker } from './breaker.js';
export { createLanguageModel, type LanguageModel } from './language-model.js';
export { modelOptions } from './model-options.js';
export { probeModel } from './probe.js';
export { ordinaryShare } from './question-places.js';
export type { TokenBudget } from './token-budget.js';

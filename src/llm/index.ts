/**
 * The client for language models: lets users take turns, repeats failed requests, checks answers against a schema.
 */
export { Breaker } from './breaker.js';
export { createLanguageModel, type LanguageModel } from './language-model.js';
export { modelOptions } from './model-options.js';
export { probeModel } from './probe.js';
export { ordinaryShare } from './question-places.js';
export type { TokenBudget } from './token-budget.js';

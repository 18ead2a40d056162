export { Breaker } from './breaker.js';
export { createLanguageModel, type LanguageModel, type Question } from './language-model.js';
export { type ModelOptions, modelOptions } from './model-options.js';
export { probeModel } from './probe.js';
export type { TokenBudget } from './token-budget.js';

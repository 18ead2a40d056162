/** Limits that are constants of the program. */
export type { FixedLimit, LimitWords } from './fixed-limit.js';
export { fixedLimits } from './limits.js';
export { signInLimits } from './sign-in-limits.js';

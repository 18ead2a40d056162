/** Values of limits that are constants of the program; who enforces them reads them here. */
export type { FixedLimit, LimitWords } from './fixed-limit.js';
export { fixedLimits } from './limits.js';
export { signInLimits } from './sign-in-limits.js';

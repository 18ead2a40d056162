/** Values of limits that no setting changes. The code that enforces a limit reads its value here. */
export type { FixedLimit, LimitWords } from './fixed-limit.js';
export { fixedLimits } from './limits.js';
export { signInLimits } from './sign-in-limits.js';

/** Rate limits by user with their table; concurrency and time limits of requests. */
export { QuestionPlaces } from './question-places.js';
export { type CountedPolicies, createRateLimits, type RateLimits } from './rate-limits.js';
export { type Policy, ratePolicies } from './rate-policies.js';
export { letLast, limitTime } from './time-limit.js';

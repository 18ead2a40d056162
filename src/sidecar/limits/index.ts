/** Rate limits of users with their table, and limits on concurrent requests and their time. */
export { QuestionPlaces } from './question-places.js';
export { type CountedPolicies, createRateLimits, type RateLimits } from './rate-limits.js';
export { type Policy, ratePolicies } from './rate-policies.js';
export { letLast, limitTime } from './time-limit.js';

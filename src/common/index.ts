/**
 * Small helpers that front, sidecar and engine share: text, deadlines, token buckets, turns of users, HTTP, origins,
 * messages between threads, slices of long work.
 */
export { anySignal } from './any-signal.js';
export { boundedAnswer } from './bounded-answer.js';
export { closeReason, longestCloseReason } from './close-reason.js';
export { type Deferred, deferred } from './deferred.js';
export { endingBody, endingFetch } from './ending-body.js';
export { allowedMethods, isUnknownMethod, type ParseError, servedMethods } from './http-methods.js';
export { joinSamples } from './join-samples.js';
export { endUnread, isTakenToEnd } from './lingering.js';
export { LongTime } from './long-time.js';
export { canonicalOrigin, longestOrigin } from './origin.js';
export { answerQuestions, askQuestions } from './port-questions.js';
export { securityHeaders } from './security-headers.js';
export { finishInSlices, mapInSlices } from './slices.js';
export { withShortPath } from './socket-path.js';
export {
  characterCount,
  equalSecrets,
  firstCharacters,
  hashedName,
  rowsWithin,
  startWithin,
  storableName,
  storableText,
} from './text.js';
export { BucketRate, TokenBucket } from './token-bucket.js';
export { UserSums } from './user-sums.js';
export { UserTurns } from './user-turns.js';
export { endsWithin, within } from './within.js';

/** Sends answers: headers, errors, long answers in parts, limits of their memory. */
export { answerHeaders, installAnswerHeaders, requestIdOf } from './answer-headers.js';
export { AnswerMemory, type AnswerShare, untilEnd } from './answer-memory.js';
export { answerStream, eventStreamHeaders } from './answer-stream.js';
export { installEarlyRefusals } from './early-refusals.js';
export { installErrorHandler, knownError, refuseOtherMethods } from './error-handler.js';
export { FileInParts } from './file-in-parts.js';
export { checkedParts, JsonInParts } from './json-in-parts.js';
export { RequestInvalid, requestInvalid } from './request-invalid.js';
export { partsUnderWay, sendParts } from './send-parts.js';
export { shareAnswer } from './share-answer.js';
export { nameUnknownMethod, refuseTunnels, refuseUnreadable } from './unreadable-request.js';

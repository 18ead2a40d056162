/**
 * Schemas that several routes share: fields, numbers moved into their range, paging, idempotency, records in
 * answers.
 */
export {
  actionItemAnswer,
  actionItemBody,
  actionItemPatch,
  actionItemsAnswer,
  actionItemsBody,
  actionItemsQuery,
  exampleActionItem,
} from './action-items-schema.js';
export { changeOf, idPath, success, successAnswer } from './common-schemas.js';
export { incomplete, voiceFailureBody } from './failure-body.js';
export { boolean, clamped, dateTime, dayEnd, dayStart, integer, number, read, trimmed } from './fields.js';
export { exampleFolder, folderAnswer } from './folder-answer.js';
export { creationKey, idempotencyHeaders, sessionField } from './idempotency.js';
export {
  movingFields,
  noteMoved,
  overMaximum,
  sendWarnings,
  warningHeader,
  warningsIn,
} from './moved-numbers.js';
export { commaList, pageHeaders, pageQuery, sendCursor, sendPage } from './paging.js';
export { examplePost, postAnswer, timedAnswer } from './post-schema.js';
export { changeBody, creationShape, exampleOf, shownShape, toolShape } from './record-schemas.js';

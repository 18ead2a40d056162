export { AnswerMemory, type AnswerShare, untilEnd } from './answer-memory.js';
export { checkedParts, JsonInParts } from './json-in-parts.js';
export { partsUnderWay, sendParts } from './send-parts.js';

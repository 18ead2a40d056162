import { CochleaError } from '../../errors/index.js';

/** JSON text in UTF-8, in parts. Each part is read on demand. A failed read ends the text with an error. */
export type JsonParts = AsyncIterable<Buffer>;

/** JSON text in UTF-8. It is a buffer if it fits into one piece. Otherwise it consists of parts. */
export type JsonDocument = Buffer | JsonParts;

/**
 * Returns the error that ends an answer in parts if its record was deleted meanwhile. The error is also used if the
 * start of a conversation has changed: the times of segments count from the start, so the remaining parts would
 * contradict the sent parts.
 */
export const outdated = (): CochleaError => new CochleaError('answer_outdated');

import { CochleaError } from '../../errors/index.js';

/** JSON text in UTF-8, in parts. Each part is read on demand. A failed read ends the text with an error. */
export type JsonParts = AsyncIterable<Buffer>;

/** JSON text in UTF-8. A buffer if it fits into one piece, else parts. */
export type JsonDocument = Buffer | JsonParts;

/**
 * Returns the error of an answer in parts whose record was deleted meanwhile, or whose times now count from
 * another moment. The remaining parts would contradict the sent parts.
 */
export const outdated = (): CochleaError => new CochleaError('answer_outdated');

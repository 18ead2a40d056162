import { CochleaError } from '../../errors/index.js';

/** JSON text in UTF-8, in parts, each read on demand. A failed read ends the text with an error. */
export type JsonParts = AsyncIterable<Buffer>;

/** JSON text in UTF-8: whole if it fits into one piece, else in parts. */
export type JsonDocument = Buffer | JsonParts;

/**
 * Error for an answer in parts: its record was deleted meanwhile, or its times now have another origin. The rest would contradict the
 * beginning.
 */
export const outdated = (): CochleaError => new CochleaError('answer_outdated');

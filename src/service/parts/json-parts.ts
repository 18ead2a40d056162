import { CochleaError } from '../../errors/index.js';

/** JSON text in UTF-8 in parts, each read when it is asked for. What cannot be read any more breaks the text off with an error. */
export type JsonParts = AsyncIterable<Buffer>;

/** JSON text in UTF-8: whole where it has no more bytes than a piece, else in parts. */
export type JsonDocument = Buffer | JsonParts;

/** A record of the answer is gone, or its times count from another moment. The rest of the answer would be another one than its beginning promised. */
export const outdated = (): CochleaError => new CochleaError('answer_outdated');

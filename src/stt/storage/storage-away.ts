import { CochleaError } from '../../errors/index.js';

/**
 * Whether an error says that the storage of files did not answer, or refused the request. Another attempt may succeed.
 */
export const isStorageAway = (error: unknown): boolean =>
  error instanceof CochleaError && error.code === 'retained_store_failed';

/** Returns the error for a client whose request needs the storage: `storage_unavailable`, or the same error if it has another cause. */
export const clientErrorOf = (error: unknown): unknown =>
  isStorageAway(error) ? new CochleaError('storage_unavailable', {}, { cause: error }) : error;

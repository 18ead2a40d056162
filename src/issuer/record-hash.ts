import { createHash } from 'node:crypto';

/** Returns the hash that the database stores instead of the id of a code, token or session. */
export const recordHash = (id: string): string => createHash('sha256').update(id).digest('hex');

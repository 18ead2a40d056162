import { createHash } from 'node:crypto';

/** What the database knows a code, token or session by. */
export const recordHash = (id: string): string => createHash('sha256').update(id).digest('hex');

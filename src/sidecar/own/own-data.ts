import { firstParty } from '../access/index.js';

/** Who reads and writes the data of a user's own applications. */
export const ownData = {
  reads: { access: firstParty, limits: ['own:read'] },
  writes: { access: firstParty, limits: ['own:write'] },
} as const;

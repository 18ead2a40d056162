import { firstParty } from './access.js';

/** Credential and rate limits of routes for the data of a user's own applications. */
export const ownData = {
  read: { access: firstParty, limits: ['own:read'] },
  write: { access: firstParty, limits: ['own:write'] },
} as const;

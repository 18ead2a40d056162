/** Scopes that a developer key can have. The command line creates such a key for a signed-in user. */
export { developerScopes } from '../wire/index.js';

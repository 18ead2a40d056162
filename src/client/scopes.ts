/** Scopes of the key that the command line creates for a signed-in user. */
export { developerScopes } from '../wire/index.js';

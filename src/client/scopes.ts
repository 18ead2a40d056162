/** What the command line may do with the key that it makes for a user who has signed in. */
export { developerScopes } from '../wire/index.js';

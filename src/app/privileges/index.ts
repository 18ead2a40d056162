/** Looks up system accounts, and makes them the owners of folders. */
export { type Account, accountOf, defaultAccount, namedAccount, serverAccount } from './accounts.js';
export { giveFolder, removeAs } from './give-folder.js';
export { makeDataDirectory } from './make-data-directory.js';

/** Looks up system accounts, and gives folders to them. */
export { type Account, accountOf, namedAccount, serverAccount } from './accounts.js';
export { giveFolder, removeAs } from './give-folder.js';
export { makeDataDirectory } from './make-data-directory.js';

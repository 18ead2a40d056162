/**
 * The page of keys: what programs and assistants may do in the name of the user. Browsers load its code when the user
 * opens the page.
 */
export { KeysPage as default } from './keys-page.js';

/** The page of keys: what programs and assistants may do in the name of the user. Browsers load it when it is opened. */
export { KeysPage as default } from './keys-page.js';

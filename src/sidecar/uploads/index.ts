/** Receives the files of a form. */
export { receiveFiles } from './receive-files.js';

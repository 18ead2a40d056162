/** Receives the files of an uploaded form. */
export { receiveFiles } from './receive-files.js';

/** Imports audio files at the console: choosing or dropping them, progress, and links to their conversations. */
export { ImportFiles } from './import-files.js';

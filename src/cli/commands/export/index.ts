/** The command that prints a conversation as a file. */
export { exportCommand } from './export.js';

/** The steps behind a conversation: structure, folder, tasks, memories, goals, daily summary. */
export { steps } from './steps.js';

/** The steps that process a finished conversation: structure, folder, tasks, memories, goals, daily summary. */
export { steps } from './steps.js';

export { steps } from './steps.js';

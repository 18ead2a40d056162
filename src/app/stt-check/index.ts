export { checkService } from './check.js';

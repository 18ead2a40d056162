export { introducedName } from './introduced-name.js';

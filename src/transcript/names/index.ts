export { introducedLanguages, introducedName } from './introduced-name.js';

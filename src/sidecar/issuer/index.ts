export { installIssuer } from './install.js';

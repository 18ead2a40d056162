/** The style that all web pages of Cochlea share: tokens of colour, space and type, and rules of common elements. */
export { base } from './base.js';
export { tokens } from './tokens.js';

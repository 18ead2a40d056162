/** Prints tables, texts and progress on the terminal. */
export { masked } from './masked.js';
export { plainLine, plainText, safeJson, shortened, visibleLine } from './plain-text.js';
export { Printer } from './printer.js';
export type { Column } from './table.js';

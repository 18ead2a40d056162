export * from './core.js';
export { coreWarning, loadCore } from './load.js';

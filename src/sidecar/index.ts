export { startSidecar } from './start-sidecar.js';

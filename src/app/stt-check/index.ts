/** Tests a custom speech service with the sample speech (`cochlea stt-check`). */
export { checkService } from './check.js';

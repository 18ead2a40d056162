/**
 * The processes of the product: engine, sidecar, transcription service and their supervisor. Each is assembled from its
 * parts here.
 */
export type { SttServerOptions } from './stt-server-process.js';
export { type Addresses, Supervisor } from './supervisor.js';
export { checkTlsFiles } from './tls-files.js';

/** Assembles each process from its parts: engine, sidecar, transcription service and the supervisor of all. */
export { checkBusCredentials } from './bus-credentials.js';
export type { SttServerOptions } from './stt-server-process.js';
export { type Addresses, Supervisor } from './supervisor.js';
export { checkTlsFiles } from './tls-files.js';

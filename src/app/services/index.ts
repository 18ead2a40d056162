export type { SttServerOptions } from './stt-server-process.js';
export { type Addresses, Supervisor } from './supervisor.js';
export { checkTlsFiles } from './tls-files.js';

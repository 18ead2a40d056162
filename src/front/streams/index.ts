/** The routes of streams: upgrade, authentication, admission, open connections. */
export { Admission } from './admission.js';
export { Connection, ConnectionState, maxUnread } from './connection.js';
export { copyHandshake, tokenOf } from './handshake.js';
export { StreamServer } from './stream-server.js';
export { UpgradeGate } from './upgrade-gate.js';

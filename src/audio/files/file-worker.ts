import { yieldThread } from '../../config/process/index.js';

// Lowers the priority of this thread, because all requests need the sidecar's main thread.
yieldThread();

export { decodeInChild } from './container-process.js';
export { readOgg } from './read-ogg.js';

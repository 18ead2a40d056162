import { yieldThread } from '../../config/process/index.js';

// The sidecar's own thread, which all requests need, has the processor first.
yieldThread();

export { readOgg } from './read-ogg.js';

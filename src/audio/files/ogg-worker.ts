import { yieldThread } from '../../config/priority.js';

// The sidecar's own thread, which all requests need, has the processor first.
yieldThread();

export { readOgg } from './read-ogg.js';

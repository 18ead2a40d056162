import { yieldThread } from '../../config/process/index.js';

// Gives the sidecar's own thread priority, because all requests need it.
yieldThread();

export { readOgg } from './read-ogg.js';

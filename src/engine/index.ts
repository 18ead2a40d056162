export { serveImages } from './image-channel.js';
export { type ImagePool, openImagePool } from './image-pool.js';
export { type JobsPool, startJobsPool } from './jobs-pool.js';
export { type EnginePool, startEnginePool } from './pool.js';
export { openReadabilityPool, type ReadabilityPool, serveReadability } from './readability/index.js';
export { serveVoices, type VoiceWork } from './voice-channel.js';
export { voiceModel } from './voice-model.js';

export { serveImages } from './images/channel.js';
export { type ImagePool, openImagePool } from './images/pool.js';
export { type EnginePool, startEnginePool } from './pool/pool.js';
export { openReadabilityPool, type ReadabilityPool, serveReadability } from './readability/index.js';
export { serveVoices, type VoiceWork } from './voices/channel.js';
export { type JobsPool, startJobsPool } from './voices/jobs-pool.js';
export { voiceModel } from './voices/model.js';

export { type JobsPool, startJobsPool, voiceModel } from './jobs-pool.js';
export { type EnginePool, startEnginePool } from './pool.js';
export { serveVoices, type TellVoices } from './voice-channel.js';

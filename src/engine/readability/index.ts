/** Checks, in a thread of its own, whether the audio of streams matches the declared format. */
export { createReadabilityCheck, serveReadability } from './check-channel.js';
export { openReadabilityPool } from './check-pool.js';
export { type CheckSample, SampleMemory, StreamCheck, type StreamCheckContext } from './stream-check.js';
export { TextedAudio } from './texted-audio.js';

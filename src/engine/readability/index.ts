/** Checks whether the audio of streams matches the declared format. A separate thread does the decoding. */
export { createReadabilityCheck, serveReadability } from './check-channel.js';
export { openReadabilityPool } from './check-pool.js';
export { type CheckSample, SampleMemory, StreamCheck, type StreamCheckContext } from './stream-check.js';
export { TextedAudio } from './texted-audio.js';

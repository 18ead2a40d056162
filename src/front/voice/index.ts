/** Passes voice messages to the sidecar, which transcribes them while the user speaks. */
export { VoiceStreams } from './streams.js';

/** Streams voice messages to the sidecar, which transcribes them while they are spoken. */
export { VoiceStreams } from './streams.js';

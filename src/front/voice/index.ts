/** Voice messages that are transcribed while they are spoken. */
export { VoiceStreams } from './streams.js';

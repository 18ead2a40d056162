/** Transcribes voice messages while they are spoken. */
export { VoiceStreams } from './streams.js';

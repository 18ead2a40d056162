export { VoiceStreams } from './streams.js';

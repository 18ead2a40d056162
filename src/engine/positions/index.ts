/** Positions of audio on the clocks of devices: which audio is stored, and from where a device sends again. */
export { type ConversationMark, ConversationPositions } from './conversation-positions.js';
export { type PositionsMark, StreamPositions } from './stream-positions.js';
export { type AwaitedSpeech, type ContinuedTimes, TrackPositions } from './track-positions.js';

/** Records to the engine from a browser or from Node.js: connection, audio to send again, transcript. Uses no part of a page. */
export type { StreamToken } from './connection.js';
export {
  LiveStream,
  type LiveStreamOptions,
  SignedOut,
  type StreamState,
} from './live-stream.js';
export { readMessage, type Segment, type StreamMessage, type Suggestion } from './messages.js';
export { type SpeakerShare, sharesOf } from './shares.js';
export { machineTime, type StreamSocket, type StreamTime } from './socket.js';
export { SpeechTimes, type SpokenTime } from './speech-times.js';
export { emptyTranscript, nextTranscript, type Transcript } from './transcript.js';
export { WordDelay } from './word-delay.js';

/** Messages between the transcription service and its clients, the engines and the sidecar. */
export { FrameReader, framed } from './frames.js';
export {
  type ClientMessage,
  clientMessages,
  type ResultMessage,
  type ServiceMessage,
  type StatusMessage,
  serviceMessages,
  type TranscribeMessage,
  type TranscriptionGreeting,
  transcriptionProtocol,
} from './transcription.js';

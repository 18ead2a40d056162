/** Streams of the older transport, and revisions of the protocol. */
export {
  hasBatches,
  hasStructuredContent,
  isRevision,
  newestRevision,
  type Revision,
  revisions,
  usualRevision,
} from './revisions.js';
export { type AnswerMessage, ToolStream } from './tool-stream.js';
export { ToolStreams } from './tool-streams.js';

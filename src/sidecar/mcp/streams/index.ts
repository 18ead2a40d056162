/** Event streams of the older MCP transport, and the supported revisions of MCP. */
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

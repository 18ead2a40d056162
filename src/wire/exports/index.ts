/** Files of a transcript as pure functions: plain text, Markdown, SubRip, WebVTT, and their names. */
export { cueBounds } from './cues.js';
export { attachmentOf, exportName } from './file-name.js';
export {
  type ExportedConversation,
  type ExportedSegment,
  type ExportFormat,
  exportFormats,
  exportTypes,
  type TextFormat,
  type TranscriptWriter,
} from './formats.js';
export { transcriptWriter } from './transcript-writer.js';

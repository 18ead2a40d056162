/** Pure functions that make the files of a transcript and their names: plain text, Markdown, SubRip and WebVTT. */
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

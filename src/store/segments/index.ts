/** Statements that insert, change and list segments. */
export { jsonRows, momentOf } from './json-rows.js';
export {
  askedSegments,
  insertSegments,
  liveSegment,
  type SegmentQuestion,
  type SpeakerLabel,
  type SpeakerName,
  type StoredRow,
  speakerLabels,
  speakerNames,
  storedSegment,
  type TranscriptEnds,
  type TranscriptRow,
  transcriptColumns,
  transcriptOf,
  upsertSegments,
  type WrittenRow,
  writtenRow,
} from './segments.js';

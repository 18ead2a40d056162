/** Statements that insert, change and list segments. */
export { jsonRows, momentOf } from './json-rows.js';
export {
  askedSegments,
  insertSegments,
  liveSegment,
  type SegmentQuestion,
  type StoredRow,
  storedSegment,
  type TranscriptEnds,
  type TranscriptRow,
  transcriptColumns,
  transcriptOf,
  upsertSegments,
  type WrittenRow,
  writtenRow,
} from './segments.js';
export { type SpeakerLabel, type SpeakerName, speakerLabels, speakerNames } from './speakers.js';

/** The entries in the journal's spill files. */
export {
  type EntryNumber,
  mostParts,
  type NumberRange,
  rangeOf,
  readEntryNumber,
  withEntryNumber,
} from './entry-number.js';
export { leaseKey, rescuedConversationId, rescuedSegmentId } from './lease-key.js';
export {
  type BegunConversation,
  decodeSpillEntry,
  encodeSpillEntry,
  isNewerEntry,
  readSpillEntry,
  type SegmentRow,
  type SpillEntry,
  type SpilledChange,
  type SpokenTimes,
} from './spill.js';

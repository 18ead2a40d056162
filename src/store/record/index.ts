/** One conversation as a record: its columns and its type. */
export {
  type ActionItem,
  type CalendarEvent,
  type ConversationRecord,
  type ConversationStatus,
  emptyStructured,
  type Geolocation,
  isoUtc,
  type PhotoRecord,
  type Structured,
} from './conversation-record.js';

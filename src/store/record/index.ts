/** The type of a conversation record, and its list of columns. Reads nothing. */
export {
  type ActionItem,
  type CalendarEvent,
  type ConversationRecord,
  type ConversationRow,
  type ConversationStatus,
  emptyStructured,
  type Geolocation,
  isoUtc,
  type PhotoRecord,
  type Structured,
} from './conversation-record.js';

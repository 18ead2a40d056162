/** The type of a conversation as a record, and its list of columns; reads nothing. */
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

/** Types of a conversation record and of its columns. This module does not read the database. */
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

import { type TimedRow, timedRows } from './timed-rows.js';

export const chatSenders = ['human', 'ai'] as const;

/** A message between a user and the assistant. */
export interface ChatMessageRow extends TimedRow {
  readonly sender: (typeof chatSenders)[number];
  readonly type: string;
  readonly text: string;
}

export const chatMessageRows = timedRows<ChatMessageRow>('chat_messages', [
  'id',
  'sender',
  'type',
  'text',
  'created_at',
]);

/**
 * One stream from open to close: its audio, texts, clocks and backlogs, and the segments of clients that transcribe
 * their own audio.
 */
export { AudioBacklogs } from './audio-backlogs.js';
export type { ChannelUse } from './channel-choice.js';
export { ConnectionSession, type SessionLeaving } from './connection-session.js';
export type { SessionContext } from './context.js';
export { SharedTexts } from './shared-texts.js';
export { type TextTime, TextTurns } from './text-turns.js';
export { Track } from './track.js';
export { UnreadTexts } from './unread-texts.js';

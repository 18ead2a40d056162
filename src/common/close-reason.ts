import { startWithin } from './text.js';

/**
 * Maximum number of bytes of the reason in a close frame. A control frame carries 125 bytes, and the close code takes
 * two of them.
 */
export const longestCloseReason = 123;

/**
 * Converts a text into the reason of a close frame. A text that is too long is shortened, but not within a code point.
 */
export const closeReason = (text: string): string => startWithin(text, longestCloseReason);

import { startWithin } from './text.js';

/** Bytes that the reason of a close frame may have: a control frame carries 125, and two of these are the code. */
export const longestCloseReason = 123;

/** A text as the reason of a close frame: cut between code points where it is too long. */
export const closeReason = (text: string): string => startWithin(text, longestCloseReason);

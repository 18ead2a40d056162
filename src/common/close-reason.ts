import { startWithin } from './text.js';

/** Most bytes of the reason of a close frame: a control frame carries 125 bytes, two of which are the code. */
export const longestCloseReason = 123;

/** Makes a text the reason of a close frame: one that is too long is cut between code points. */
export const closeReason = (text: string): string => startWithin(text, longestCloseReason);

import { fixedLimits } from '../../config/limits/index.js';

/** Bounds of chat messages. Texts in code points. */
export const chatBounds = {
  /** A message that a user writes. */
  message: fixedLimits.chatMessage.value,
  /** Earlier messages that an answer takes into account, and conversations that it is made from. */
  history: 10,
  sources: 5,
  timeZone: 64,
} as const;

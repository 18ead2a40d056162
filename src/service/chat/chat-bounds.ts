import { fixedLimits } from '../../config/limits/index.js';

/** Limits of chat messages. Texts in code points. */
export const chatBounds = {
  /** Longest message of a user. */
  message: fixedLimits.chatMessage.value,
  /** Maximum number of earlier messages that an answer considers, and of conversations that it uses. */
  history: 10,
  sources: 5,
  timeZone: 64,
} as const;

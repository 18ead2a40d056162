import { fixedLimits } from '../../config/limits/index.js';

/** Limits of chat messages. Lengths in code points. */
export const chatBounds = {
  /** Maximum length of a user's message. */
  message: fixedLimits.chatMessage.value,
  /** Maximum number of earlier messages, and of conversations, that an answer uses. */
  history: 10,
  sources: 5,
  timeZone: 64,
} as const;

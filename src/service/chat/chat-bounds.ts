import { fixedLimits } from '../../config/limits/index.js';

/** Limits of chat messages. Lengths in code points. */
export const chatBounds = {
  /** Maximum length of a user's message. */
  message: fixedLimits.chatMessage.value,
  /** An answer uses at most this many earlier messages (`history`) and conversations (`sources`). */
  history: 10,
  sources: 5,
  timeZone: 64,
} as const;

/** Bounds and default of the number of seconds of silence after which a conversation is processed. */
export const conversationTimeout = { minimum: 2, maximum: 14_400, default: 120 } as const;

/**
 * Returns the timeout of a stream in whole seconds, from 2 to 14,400. The value -1 selects the maximum. Other values
 * outside the range are set to its nearest end. A value that is not a number becomes the default of 120.
 */
export const clampConversationTimeout = (value: number | string | null | undefined): number => {
  const asked = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof asked !== 'number' || Number.isNaN(asked)) return conversationTimeout.default;
  if (asked === -1) return conversationTimeout.maximum;
  const { minimum, maximum } = conversationTimeout;
  return Math.trunc(Math.min(maximum, Math.max(minimum, asked)));
};

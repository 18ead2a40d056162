/** Seconds of silence after which a conversation is processed. */
export const conversationTimeout = { minimum: 2, maximum: 14_400, default: 120 } as const;

/**
 * The silence a stream asked for, in whole seconds within 2..14,400. -1 means the longest, a value out of range is
 * clamped, and what is not a number gets the default of 120.
 */
export const clampConversationTimeout = (value: number | string | null | undefined): number => {
  const asked = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof asked !== 'number' || Number.isNaN(asked)) return conversationTimeout.default;
  if (asked === -1) return conversationTimeout.maximum;
  const { minimum, maximum } = conversationTimeout;
  return Math.trunc(Math.min(maximum, Math.max(minimum, asked)));
};

export interface SilenceState {
  /** Wall clock, ms since the epoch. */
  readonly now: number;
  /** Wall clock (ms) at which the last end of speech arrived, or the last custom segment. */
  readonly lastSpeechAt: number;
  /** Seconds, already clamped. */
  readonly timeout: number;
  /** An utterance is open: somebody speaks. */
  readonly speaking: boolean;
  /** Utterances handed to a provider, or segments not yet stored. */
  readonly queued: number;
}

/** Whether the silence has lasted long enough to close the conversation. Never while speech is open or queued. */
export const silenceElapsed = (state: SilenceState): boolean =>
  !state.speaking && state.queued === 0 && state.now - state.lastSpeechAt >= state.timeout * 1000;

/** Ms until `silenceElapsed` can become true if nothing more is said; 0 when it is due. */
export const silenceDue = (state: Pick<SilenceState, 'now' | 'lastSpeechAt' | 'timeout'>): number =>
  Math.max(0, state.lastSpeechAt + state.timeout * 1000 - state.now);

/** Whether a stream that opens at `now` continues a conversation with this last speech. */
export const withinTimeout = (now: number, lastSpeechAt: number, timeout: number): boolean =>
  now - lastSpeechAt < timeout * 1000;

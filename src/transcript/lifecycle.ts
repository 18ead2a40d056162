export interface SilenceState {
  /** Current wall clock, ms since the epoch. */
  readonly now: number;
  /**
   * Wall clock (ms) of the last end of speech, or of the last arrival of a segment that the client transcribed itself.
   */
  readonly lastSpeechAt: number;
  /** Conversation timeout in seconds, already clamped to its limits. */
  readonly timeout: number;
  /** Whether an utterance is open. */
  readonly speaking: boolean;
  /**
   * Number of utterances that have no result from the provider yet, plus the number of segments that are not stored
   * yet.
   */
  readonly queued: number;
}

/**
 * Whether the silence has lasted long enough to end the conversation. It is always false while an utterance is open, or
 * while utterances or segments are queued.
 */
export const silenceElapsed = (state: SilenceState): boolean =>
  !state.speaking && state.queued === 0 && state.now - state.lastSpeechAt >= state.timeout * 1000;

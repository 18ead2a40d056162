export interface SilenceState {
  /** Current wall clock, ms since the epoch. */
  readonly now: number;
  /** Wall clock (ms) at which speech last ended, or at which a client's own segment last arrived. */
  readonly lastSpeechAt: number;
  /** Conversation timeout in seconds, already clamped to its limits. */
  readonly timeout: number;
  /** Whether an utterance is open. */
  readonly speaking: boolean;
  /** Number of utterances without a result of the provider, plus segments that are not stored yet. */
  readonly queued: number;
}

/**
 * Whether the silence has lasted long enough to end the conversation. It is always false while speech is open or
 * queued.
 */
export const silenceElapsed = (state: SilenceState): boolean =>
  !state.speaking && state.queued === 0 && state.now - state.lastSpeechAt >= state.timeout * 1000;

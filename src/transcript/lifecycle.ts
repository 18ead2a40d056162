export interface SilenceState {
  /** Current time by wall clock, ms since the epoch. */
  readonly now: number;
  /** Wall clock (ms) when the last end of speech or the last custom segment arrived. */
  readonly lastSpeechAt: number;
  /** Conversation timeout in seconds, already clamped to its limits. */
  readonly timeout: number;
  /** Whether an utterance is open, so speech continues. */
  readonly speaking: boolean;
  /** Number of utterances without an answer of the provider, plus segments not stored yet. */
  readonly queued: number;
}

/** Whether the silence has lasted long enough to close the conversation. Never while speech is open or queued. */
export const silenceElapsed = (state: SilenceState): boolean =>
  !state.speaking && state.queued === 0 && state.now - state.lastSpeechAt >= state.timeout * 1000;

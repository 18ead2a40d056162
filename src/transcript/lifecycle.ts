export interface SilenceState {
  /** Wall clock, ms since the epoch. */
  readonly now: number;
  /** Wall clock (ms) at which the last end of speech arrived, or the last custom segment. */
  readonly lastSpeechAt: number;
  /** Seconds, already clamped. */
  readonly timeout: number;
  /** Whether an utterance is open, that is, speech is going on. */
  readonly speaking: boolean;
  /** Number of utterances that a provider has not answered and of segments that are not stored yet. */
  readonly queued: number;
}

/** Whether the silence has lasted long enough to close the conversation. Never while speech is open or queued. */
export const silenceElapsed = (state: SilenceState): boolean =>
  !state.speaking && state.queued === 0 && state.now - state.lastSpeechAt >= state.timeout * 1000;

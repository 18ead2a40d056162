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

/**
 * Default parameters of the gate: `onset` and `off` are probabilities, the others ms. Both cores and the servers in comparisons use them
 * unless a setting differs. `native/gate/gate.h` repeats them for C++ alone.
 */
export const usualGate = {
  /** Speech starts at this probability. */
  onset: 0.5,
  /** Speech ends below this probability. */
  off: 0.35,
  /** Audio kept before an onset. */
  preRoll: 300,
  /** Silence that ends an utterance. */
  endSilence: 600,
  /** Shorter speech is not an utterance. */
  minSpeech: 250,
  /** Longer utterances are cut. */
  maxUtterance: 15_000,
} as const;

export type GateNumbers = Readonly<Record<keyof typeof usualGate, number>>;

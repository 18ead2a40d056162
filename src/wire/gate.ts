/**
 * The numbers of the gate: `onset` and `off` are probabilities, the others ms. What the settings do not change has this value in both
 * cores and in the servers that the engine is compared with; `native/gate/gate.h` has the same for C++ alone.
 */
export const usualGate = {
  /** Speech starts at this probability ... */
  onset: 0.5,
  /** ... and ends below this one. */
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

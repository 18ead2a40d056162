/**
 * Default parameters of the gate, which detects speech. `onset` and `off` are probabilities; all other values are ms.
 * Both audio cores use these values unless a setting changes them. Benchmarks also configure other servers with these
 * values. `native/gate/gate.h` repeats the values for C++ programs without settings.
 */
export const usualGate = {
  /** Speech starts at this probability. */
  onset: 0.5,
  /** Speech ends below this probability. */
  off: 0.35,
  /** Length of the audio before the onset of speech that is included in the utterance. */
  preRoll: 300,
  /** Silence that ends an utterance. */
  endSilence: 600,
  /** Shorter speech is not an utterance. */
  minSpeech: 250,
  /** Longer utterances are split. */
  maxUtterance: 15_000,
} as const;

export type GateNumbers = Readonly<Record<keyof typeof usualGate, number>>;

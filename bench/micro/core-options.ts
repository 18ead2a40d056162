/** What a shard makes its core with, as far as the defaults of the settings go; memory and streams are the suite's. */
export const coreOptions = {
  gate: { onset: 0.5, off: 0.35, preRoll: 300, endSilence: 600, minSpeech: 250, maxUtterance: 15_000 },
  frameQueueDuration: 2000,
  turnWindows: 16,
  turnDeadline: 8,
} as const;

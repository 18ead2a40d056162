import { usualGate } from '../../src/wire/gate.js';

/** What a shard makes its core with, as far as the defaults of the settings go; memory and streams are the suite's. */
export const coreOptions = {
  gate: usualGate,
  frameQueueDuration: 2000,
  turnWindows: 16,
  turnDeadline: 8,
} as const;

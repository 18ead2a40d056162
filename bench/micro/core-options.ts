import { usualGate } from '../../src/wire/gate.js';

/** The core options that a shard has by default. Each suite sets memory and number of streams itself. */
export const coreOptions = {
  gate: usualGate,
  frameQueueDuration: 2000,
  turnWindows: 16,
  turnDeadline: 8,
} as const;

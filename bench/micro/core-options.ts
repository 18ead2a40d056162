import { usualGate } from '../../src/wire/gate.js';

/** Core options of a shard with default settings. Each suite sets memory and streams itself. */
export const coreOptions = {
  gate: usualGate,
  frameQueueDuration: 2000,
  turnWindows: 16,
  turnDeadline: 8,
} as const;

/** The ring buffer in shared memory, with one producer and one consumer. */
export { ringAge, ringClock, ringTicks, ticksBetween, ticksPerSecond } from './clock.js';
export { headerBytes, RecordKind, recordHeaderBytes } from './layout.js';
export {
  createRing,
  type FrameBytes,
  type FrameCopier,
  largestPayload,
  RingConsumer,
  RingProducer,
} from './ring.js';

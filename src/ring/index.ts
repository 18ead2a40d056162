/** The ring buffer in shared memory, written by the front and read by one shard. */
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

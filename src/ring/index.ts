export { ringAge, ringClock } from './clock.js';
export { headerBytes, RecordKind, recordHeaderBytes } from './layout.js';
export {
  createRing,
  type FrameCopier,
  largestPayload,
  type RecordVisitor,
  RingConsumer,
  RingProducer,
} from './ring.js';

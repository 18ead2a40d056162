export { ringAge, ringClock } from './clock.js';
export { headerBytes, RecordKind, recordHeaderBytes } from './layout.js';
export { createRing, largestPayload, type RecordVisitor, RingConsumer, RingProducer } from './ring.js';

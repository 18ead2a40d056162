/**
 * Parts that several modules of the engine use: clocks, batches, queues, parsing of client messages, and code that
 * builds and sends messages to clients.
 */
export { Batcher } from './batcher.js';
export { ByteQueue } from './byte-queue.js';
export {
  type ClientMessage,
  type MessageRefusal,
  parseClientMessage,
  type SuggestedSegment,
  timesInMilliseconds,
  tooManySegments,
} from './client-message.js';
export { ClientSender } from './client-sender.js';
export { type EngineClock, systemClock, wallOfArrival } from './clock.js';
export { Committer } from './committer.js';
export { burst, FrameBatch } from './frame-batch.js';
export { handleOf, slotOf, trackNumberOf } from './handles.js';
export { type Address, Outbox, type ShardPort } from './outbox.js';
export * as events from './server-events.js';
export {
  type FailureReason,
  memoryCreated,
  memoryProcessingStarted,
  photoDescribed,
  processingFailed,
  serviceFailed,
  type TranslationEventName,
} from './server-events.js';
export { SpeechActivity } from './speech-activity.js';
export { separableSample, separateSides } from './stereo-sides.js';
export { TaskChain } from './task-chain.js';
export { UtteranceIds } from './utterance-ids.js';
export { WorkTurns } from './work-turns.js';

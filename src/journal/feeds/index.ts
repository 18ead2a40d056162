/** Completed conversations and events, between the main thread of an engine and its shards. */
export {
  type CompletionFeed,
  followCompletions,
  startCompletionFeed,
} from './completion-feed.js';
export { type CompletionBus, openShardEvents, type ShardEvents, startEventFeed } from './event-feed.js';

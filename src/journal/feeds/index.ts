/** Completed conversations and events, between the main thread of an engine and its shards. */
export {
  type CompletionFeed,
  followCompletions,
  startCompletionFeed,
} from './completion-feed.js';
export { openShardEvents, type ShardEvents, startEventFeed } from './event-feed.js';

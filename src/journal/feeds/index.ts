/** Messages about completed conversations, streams and events between the main thread of an engine and its shards. */
export {
  type CompletionFeed,
  followCompletions,
  startCompletionFeed,
} from './completion-feed.js';
export { type ConversationKey, textOfKey } from './conversation-key.js';
export { openShardEvents, type ShardEvents, startEventFeed } from './event-feed.js';
export { type FleetStreams, openShardStreams, type ShardStreams, startStreamFeed } from './stream-feed.js';

/** The conversations of a shard: the streams in them, segments, speakers, translations, leases. */
export type { Listener } from './completions.js';
export { type Leaving, LiveConversation } from './conversation.js';
export { Conversations } from './conversations.js';
export {
  type ConversationOptions,
  conversationOptionsOf,
  type JoinedConversation,
  type Member,
} from './member.js';
export { createTranslationChannel, type TranslationChannel } from './translation-channel.js';

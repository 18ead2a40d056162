/** Names of the tools that `cochlea mcp-stdio` offers. */
export const stdioTools = [
  'get_memories',
  'search_memories',
  'create_memory',
  'edit_memory',
  'delete_memory',
  'get_conversations',
  'search_conversations',
  'get_conversation_by_id',
];

/** Names of all tools of the server, except `search` and `fetch`. */
export const contractTools = [
  ...stdioTools,
  'get_user_profile',
  'get_x_posts',
  'search_x_posts',
  'get_goals',
  'get_chat_messages',
  'get_people',
  'get_screen_activity',
  'get_daily_summaries',
  'get_action_items',
  'search_action_items',
  'create_action_item',
  'complete_action_item',
  'update_action_item',
  'delete_action_item',
];

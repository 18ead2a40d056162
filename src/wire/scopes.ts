/** What a developer key may be allowed to do. */
export const developerScopes = [
  'conversations:read',
  'conversations:write',
  'memories:read',
  'memories:write',
  'action_items:read',
  'action_items:write',
  'goals:read',
  'goals:write',
] as const;

export type DeveloperScope = (typeof developerScopes)[number];

/** What an MCP key may be allowed to do; assistants spell scopes with a dot. */
export const mcpScopes = [
  'memories.read',
  'memories.write',
  'conversations.read',
  'action_items.read',
  'action_items.write',
  'goals.read',
  'chat.read',
  'people.read',
  'screen_activity.read',
] as const;

export type McpScope = (typeof mcpScopes)[number];

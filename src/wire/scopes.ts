/** Scopes of developer keys. */
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

/** Scopes of MCP keys. They are spelled with a dot where scopes of developer keys have a colon. */
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

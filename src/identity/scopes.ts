import type { KeyFamily } from '../store/accounts/index.js';

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

/** Every scope of a kind of key. */
export const scopesOf: Readonly<Record<KeyFamily, readonly string[]>> = {
  dev: developerScopes,
  mcp: mcpScopes,
};

/** Scopes that only read. Keys have these that an earlier release stored without scopes. */
export const readingScopesOf = (family: KeyFamily): readonly string[] =>
  scopesOf[family].filter((scope) => scope.endsWith('read'));

/** A key made without naming scopes: a developer key reads, an MCP key may do all, because its assistant has to save what it learns. */
export const defaultScopesOf = (family: KeyFamily): readonly string[] =>
  family === 'mcp' ? scopesOf.mcp : readingScopesOf(family);

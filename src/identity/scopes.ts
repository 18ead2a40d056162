import type { KeyFamily } from '../store/accounts/index.js';
import { developerScopes, mcpScopes } from '../wire/index.js';

export { type DeveloperScope, developerScopes, type McpScope, mcpScopes } from '../wire/index.js';

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

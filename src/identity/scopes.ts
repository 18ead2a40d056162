import type { KeyFamily } from '../store/accounts/index.js';
import { developerScopes, mcpScopes } from '../wire/index.js';

export { type DeveloperScope, developerScopes, type McpScope, mcpScopes } from '../wire/index.js';

/** All scopes of each family of keys. */
export const scopesOf: Readonly<Record<KeyFamily, readonly string[]>> = {
  dev: developerScopes,
  mcp: mcpScopes,
};

/**
 * Returns the scopes that permit only reading. A key that an earlier release stored without scopes has these scopes.
 */
export const readingScopesOf = (family: KeyFamily): readonly string[] =>
  scopesOf[family].filter((scope) => scope.endsWith('read'));

/**
 * Returns the default scopes of a new key. A developer key can only read. An MCP key has all scopes, because its
 * assistant must be able to save memories.
 */
export const defaultScopesOf = (family: KeyFamily): readonly string[] =>
  family === 'mcp' ? scopesOf.mcp : readingScopesOf(family);

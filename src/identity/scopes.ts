import type { KeyFamily } from '../store/accounts/index.js';
import { developerScopes, mcpScopes } from '../wire/index.js';

export { type DeveloperScope, developerScopes, type McpScope, mcpScopes } from '../wire/index.js';

/** All scopes of a kind of key. */
export const scopesOf: Readonly<Record<KeyFamily, readonly string[]>> = {
  dev: developerScopes,
  mcp: mcpScopes,
};

/** Scopes that only read. Keys that an earlier release stored without scopes have these. */
export const readingScopesOf = (family: KeyFamily): readonly string[] =>
  scopesOf[family].filter((scope) => scope.endsWith('read'));

/** Default scopes of a new key. A developer key reads. An MCP key may do everything, because its assistant must save memories. */
export const defaultScopesOf = (family: KeyFamily): readonly string[] =>
  family === 'mcp' ? scopesOf.mcp : readingScopesOf(family);

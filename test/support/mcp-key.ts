import type { Settings } from '../../src/config/settings.js';
import { type ApiKey, createApiKey } from '../../src/identity/api-keys.js';
import { type McpScope, scopesOf } from '../../src/identity/scopes.js';
import type { Sql } from '../../src/store/client/database.js';

/** Creates an assistant key (MCP) for a user. By default the key has every scope. */
export const createMcpKey = (
  sql: Sql,
  settings: Settings,
  uid: string,
  scopes: readonly McpScope[] = scopesOf.mcp as readonly McpScope[],
): Promise<{ record: ApiKey; key: string }> =>
  createApiKey(sql, settings, { uid, name: 'test', family: 'mcp', scopes });

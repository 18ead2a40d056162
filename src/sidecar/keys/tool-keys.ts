import type { Route, RouteContext } from '../frame/index.js';
import { managedKeyRoutes, managedKeys } from './managed-keys.js';

const mcpKeys = managedKeys('mcp', {
  url: '/v1/mcp/keys',
  schema: 'McpApiKey',
  operation: 'McpKey',
  tag: 'Assistants',
  word: 'an MCP key',
  plural: 'MCP keys',
  policy: 'mcp:keys',
  creationPolicy: 'mcp:keys_create',
  exampleScopes: ['memories.read', 'conversations.read'],
});

/** Returns the routes for signed-in users to manage keys of assistants. */
export const mcpKeyRoutes = (context: RouteContext): readonly Route[] => managedKeyRoutes(mcpKeys, context);

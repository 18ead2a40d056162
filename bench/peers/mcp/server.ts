/**
 * A server with the tool `get_memories`, built with the MCP SDK as its documentation shows. Each session has its own
 * `McpServer` with the Streamable HTTP transport on `node:http`.
 *
 * The peer uses the product's database (`DATABASE_URL`) and the product's functions for keys and memories. So only the
 * server differs. Prints one line, {"port": ..., "versions": {...}}. Ends with SIGTERM or when its standard input ends.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { loadSettings } from '../../../src/config/load-settings.js';
import { acceptedKey, findCountedKey, hashOfToken } from '../../../src/identity/api-keys.js';
import { bearerToken } from '../../../src/identity/bearer.js';
import { selectMemories } from '../../../src/service/records/memory-selection.js';
import { countedTogether } from '../../../src/store/accounts/rate-windows.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { memorySorts } from '../../../src/store/records/memories.js';
import { toolMemoryCategories } from '../../../src/wire/records/memories.js';
import { checkout } from '../../checkout.js';

const settings = loadSettings({}).values;
const sql = connectDatabase(process.env.DATABASE_URL ?? '', {
  max: Number(process.env.DATABASE_POOL ?? 4),
  name: 'peer',
});
const counted = countedTogether([
  { policy: 'mcp:sse', allowed: 2000 * Number(process.env.RATE_LIMIT_BOOST ?? 1), seconds: 3600 },
]);

const input = {
  categories: z.array(z.enum(toolMemoryCategories)).optional(),
  limit: z.number().int().min(1).max(500).default(100),
  offset: z.number().int().min(0).max(100_000).default(0),
  sort: z.enum(memorySorts).default('created_desc'),
  reviewed: z.boolean().optional(),
  manually_added: z.boolean().optional(),
  updated_after: z.iso.datetime().optional(),
  include_activity: z.boolean().default(false),
  include_sensitive: z.boolean().default(true),
};

/** Creates a server for one session. It declares no output schema, because the SDK would then validate every answer. */
const newServer = (): McpServer => {
  const server = new McpServer({ name: 'peer', version: '1' });
  server.registerTool(
    'get_memories',
    { title: 'List memories', description: 'Facts about the user, newest first.', inputSchema: input },
    async (given, { authInfo }) => {
      const { limit, offset, sort, include_activity, include_sensitive } = given;
      const { items, more } = await selectMemories(sql, authInfo!.clientId, 'tools', {
        categories: given.categories,
        reviewed: given.reviewed,
        manuallyAdded: given.manually_added,
        updatedAfter: given.updated_after === undefined ? undefined : new Date(given.updated_after),
        activity: include_activity,
        sensitive: include_sensitive,
        sort,
        limit,
        offset,
      });
      const answer = {
        memories: items,
        returned_count: items.length,
        has_more: more,
        offset,
        limit,
        sort,
        include_activity,
        include_sensitive,
      };
      return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
    },
  );
  return server;
};

const sessions = new Map<string, StreamableHTTPServerTransport>();

/** Creates the transport of a new session. */
const newTransport = async (): Promise<StreamableHTTPServerTransport> => {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await newServer().connect(transport as Parameters<McpServer['connect']>[0]);
  return transport;
};

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const token = bearerToken(request.headers.authorization);
  const hash = token && hashOfToken(settings, token, 'mcp');
  const found = hash && acceptedKey(await findCountedKey(sql, hash, null, counted, 'mcp'), hash);
  if (!found || found.deleting) return void response.writeHead(401).end();
  if (found.windows.some(({ admitted }) => !admitted)) return void response.writeHead(429).end();
  const id = request.headers['mcp-session-id'];
  const transport = id === undefined ? await newTransport() : sessions.get(String(id));
  if (transport === undefined) return void response.writeHead(404).end();
  const auth = { token, clientId: found.key.uid, scopes: [...found.key.scopes] };
  await transport.handleRequest(Object.assign(request, { auth }), response);
};

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const sdk = new URL('node_modules/@modelcontextprotocol/sdk/package.json', checkout);
  const { version } = JSON.parse(readFileSync(sdk, 'utf8')) as { version: string };
  process.stdout.write(`${JSON.stringify({ port, versions: { 'mcp-sdk': version } })}\n`);
});

const end = (): void => process.exit(0);
process.once('SIGTERM', end);
process.stdin.resume().once('end', end);

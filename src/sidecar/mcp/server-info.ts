import { z } from 'zod';
import { publicAddress } from '../../config/index.js';
import { assistantResource, authorizationServer, scopesOf } from '../../identity/index.js';
import { open } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { revisions, usualRevision } from './streams/index.js';

const info = z.object({
  endpoint: z.string(),
  transport: z.string(),
  protocol_version: z.string(),
  protocol_versions: z.array(z.string()),
  authentication: z.object({
    methods: z.array(z.string()),
    api_key: z.object({ header: z.string(), format: z.string() }),
    /** How assistants get access. Absent if no issuer can grant access. */
    oauth2: z
      .object({
        authorization_server: z.string(),
        /** Address at the built-in issuer. Absent with an external issuer, which publishes its address itself. */
        authorization_endpoint: z.string().optional(),
        token_endpoint: z.string().optional(),
        resource: z.string(),
        scopes: z.array(z.string()),
      })
      .optional(),
  }),
  instructions: z.object({ step1: z.string(), step2: z.string(), step3: z.string() }),
});

/** Declares the route that names the address of the tool server. */
export const serverInfoRoute = ({ settings }: Pick<RouteContext, 'settings'>): Route =>
  route({
    method: 'GET',
    url: '/v1/mcp/sse/info',
    operationId: 'getToolServerInfo',
    tag: 'Assistants',
    summary: 'The address of the tool server and how to connect',
    access: open,
    limits: [],
    answer: info,
    handle: async () => {
      const address = publicAddress(settings);
      const server = authorizationServer(settings);
      return {
        endpoint: '/v1/mcp/sse',
        transport: 'streamable-http',
        protocol_version: usualRevision,
        protocol_versions: [...revisions],
        authentication: {
          methods: server === null ? ['api_key'] : ['oauth2', 'api_key'],
          api_key: { header: 'Authorization', format: 'Bearer <api_key>' },
          ...(server !== null && {
            oauth2: {
              authorization_server: server,
              ...(server === address && {
                authorization_endpoint: `${address}/authorize`,
                token_endpoint: `${address}/token`,
              }),
              resource: assistantResource(settings),
              scopes: [...scopesOf.mcp],
            },
          }),
        },
        instructions: {
          step1: `Create an MCP API key${server === null ? '' : ', or let the assistant ask the user for access'}`,
          step2: `Give the assistant the address ${address}/v1/mcp/sse`,
          step3: 'With a key, have it send the header "Authorization: Bearer <api_key>"',
        },
      };
    },
  });

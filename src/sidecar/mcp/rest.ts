import { z } from 'zod';
import { readWholeConversation } from '../../service/conversations/index.js';
import { assistant, mayUse } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { idPath } from '../schemas/index.js';
import { type ToolRead, toolReads } from './tool-reads.js';
import { type ToolWrite, toolWrites } from './tool-writes.js';
import { type Tool, wholeConversation } from './toolkit/index.js';
import { allTools } from './tools/index.js';

/**
 * Bytes of memory that are reserved for an answer before it is read. In most languages, texts up to the limit
 * `toolTexts` fit. Further bytes are counted after the answer is read.
 */
const answerBytes = 2_097_152;

/** Declares a route that returns the answer of a tool that reads records. */
const listRoute = (read: ToolRead, declared: Tool): Route =>
  route({
    method: 'GET',
    url: `/v1/mcp/${read.path}`,
    operationId: read.operationId,
    tag: 'Assistants',
    summary: read.summary,
    access: assistant(declared.scopes[0]),
    limits: [read.limit],
    errors: ['bad_request'],
    answerBytes,
    query: declared.input.extend(read.query ?? {}),
    answer: read.answer,
    example: { ...(read.example && { query: read.example }) },
    handle: async ({ caller, query }) => {
      const given = { uid: caller.uid, scopes: caller.scopes ?? [], given: query };
      const { notice, ...answer } = (await declared.call(given)) as Record<string, unknown>;
      const list = answer[read.member];
      if (!Array.isArray(list)) return answer;
      return read.more ? list.map((item) => ({ ...read.more, ...item })) : list;
    },
  });

const getAssistantConversationRoute = ({ sql }: RouteContext): Route =>
  route({
    method: 'GET',
    url: '/v1/mcp/conversations/{id}',
    operationId: 'getAssistantConversation',
    tag: 'Assistants',
    summary: 'One conversation with its transcript',
    access: assistant('conversations.read'),
    limits: ['mcp:read'],
    errors: ['conversation_not_found', 'locked'],
    resource: { createdBy: 'createConversationFromSegments', foreign: 404 },
    path: idPath,
    answerBytes,
    answer: wholeConversation.extend({ apps_results: z.array(z.unknown()) }),
    handle: async ({ caller, path }) => {
      const tasks = mayUse(caller, 'action_items.read');
      const whole = await readWholeConversation(sql, caller.uid, path.id, tasks);
      return { ...(whole as object as z.input<typeof wholeConversation>), apps_results: [] };
    },
  });

/** Declares a route that makes the same change as a tool. */
const writeRoute = ({ path, named, member, given, ...write }: ToolWrite, declared: Tool): Route => ({
  ...write,
  url: `/v1/mcp/${path}`,
  tag: 'Assistants',
  access: assistant(declared.scopes[0]),
  limits: declared.limits ?? [],
  ...(named && { path: idPath, resource: { createdBy: named.createdBy, foreign: 404 } }),
  handle: async ({ caller, path, query, body }) => {
    const values = { ...(named && { [named.argument]: path.id }), ...(given?.(query) ?? query), ...body };
    const answer = await declared.call({ uid: caller.uid, scopes: caller.scopes ?? [], given: values });
    return member === undefined ? { status: 'ok' } : (answer as Record<string, unknown>)[member];
  },
});

/** Returns the routes that offer the assistants' tools as plain HTTP requests. */
export const assistantRestRoutes = (context: RouteContext): readonly Route[] => {
  const tools = new Map<string, Tool>(allTools(context).map((one) => [one.name, one]));
  return [
    ...toolReads.map((read) => listRoute(read, tools.get(read.tool)!)),
    getAssistantConversationRoute(context),
    ...toolWrites.map((write) => writeRoute(write, tools.get(write.tool)!)),
  ];
};

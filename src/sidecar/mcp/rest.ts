import { z } from 'zod';
import { readWholeConversation } from '../../service/conversations/index.js';
import { momentsOf } from '../../service/days/index.js';
import {
  createActionItemOnce,
  createMemories,
  deleteActionItem,
  deleteMemory,
  updateActionItem,
  updateMemory,
} from '../../service/records/index.js';
import {
  actionItemRecord,
  alternatives,
  memoryRecord,
  toolMemoryCategories,
} from '../../wire/records/index.js';
import { assistant, mayUse } from '../access/index.js';
import { type Route, type RouteContext, route } from '../frame/index.js';
import { boolean, changeOf, idPath, toolShape } from '../schemas/index.js';
import { type ToolRead, toolReads } from './tool-reads.js';
import { actionItem, memory, type Tool, wholeConversation } from './toolkit/index.js';
import { allTools } from './tools/index.js';

/** Bytes of memory that are reserved for an answer before it is read. Enough for `toolTexts` in most languages. Excess is counted later. */
const answerBytes = 2_097_152;
const memoryPath = '/v1/mcp/memories/{id}';
const itemPath = '/v1/mcp/action-items/{id}';
const ok = z.object({ status: z.literal('ok') }).meta({ id: 'StatusOk' });
const done = { status: 'ok' } as const;
const memoryResource = { createdBy: 'createAssistantMemory', foreign: 404 } as const;
const itemResource = { createdBy: 'createAssistantActionItem', foreign: 404 } as const;
const common = { tag: 'Assistants', errors: ['record_not_found', 'locked'] } as const;
const memoryWrite = { ...common, access: assistant('memories.write') } as const;
const itemWrite = {
  ...common,
  access: assistant('action_items.write'),
  limits: ['action_items:write'],
} as const;
const itemChanges = toolShape(actionItemRecord, 'change');
const newMemory = toolShape(memoryRecord, 'create', { category: z.enum(toolMemoryCategories) });
const { content: _value, ...memoryChanges } = toolShape(memoryRecord, 'change');

/** Declares a route with the answer of a reading tool. */
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

const createAssistantMemoryRoute = ({ sql }: RouteContext): Route =>
  route({
    ...memoryWrite,
    method: 'POST',
    url: '/v1/mcp/memories',
    operationId: 'createAssistantMemory',
    summary: 'Remember a fact about the user',
    limits: ['memories:create'],
    errors: ['records_full'],
    body: z.object(newMemory),
    answer: memory,
    example: { body: { content: 'Prefers the early train' } },
    handle: async ({ caller, body }) => (await createMemories(sql, caller.uid, 'tools', [body]))[0]!,
  });

const editAssistantMemoryRoute = ({ sql }: RouteContext): Route =>
  route({
    ...memoryWrite,
    method: 'PATCH',
    url: memoryPath,
    operationId: 'editAssistantMemory',
    summary: 'Replace the content of a memory',
    limits: ['memories:modify'],
    resource: memoryResource,
    path: idPath,
    query: z.object({ value: newMemory.content, ...memoryChanges }),
    answer: ok,
    example: { query: { value: 'Prefers the late train' }, answer: done },
    handle: async ({ caller, path, query: { value, ...patch } }) => {
      await updateMemory(sql, caller.uid, 'tools', path.id, { ...patch, content: value });
      return done;
    },
  });

const deleteAssistantMemoryRoute = ({ sql }: RouteContext): Route =>
  route({
    ...memoryWrite,
    method: 'DELETE',
    url: memoryPath,
    operationId: 'deleteAssistantMemory',
    summary: 'Delete a memory permanently',
    limits: ['memories:delete'],
    resource: memoryResource,
    path: idPath,
    answer: ok,
    example: { answer: done },
    handle: async ({ caller, path }) => {
      await deleteMemory(sql, caller.uid, path.id);
      return done;
    },
  });

const createAssistantActionItemRoute = ({ sql }: RouteContext): Route =>
  route({
    ...itemWrite,
    method: 'POST',
    url: '/v1/mcp/action-items',
    operationId: 'createAssistantActionItem',
    summary: 'Add a task. A repeated request with the same description adds nothing',
    errors: ['records_full'],
    body: z.object(toolShape(actionItemRecord, 'create')),
    answer: actionItem,
    example: { body: { description: 'Send the garden plan to Ann' } },
    handle: async ({ caller, body }) => {
      const [item] = await momentsOf(sql, caller.uid, actionItemRecord, [body]);
      return createActionItemOnce(sql, caller.uid, item!);
    },
  });

const completeAssistantActionItemRoute = ({ sql }: RouteContext): Route =>
  route({
    ...itemWrite,
    method: 'POST',
    url: `${itemPath}/complete`,
    operationId: 'completeAssistantActionItem',
    summary: 'Complete a task, or open it again',
    resource: itemResource,
    path: idPath,
    query: z.object({ completed: boolean.default(true) }),
    answer: actionItem,
    handle: async ({ caller, path, query }) => updateActionItem(sql, caller.uid, path.id, query, 'tools'),
  });

const updateAssistantActionItemRoute = ({ sql }: RouteContext): Route =>
  route({
    ...itemWrite,
    method: 'PATCH',
    url: itemPath,
    operationId: 'updateAssistantActionItem',
    summary: 'Change the description or the due date of a task',
    resource: itemResource,
    path: idPath,
    body: changeOf(itemChanges, alternatives(Object.keys(itemChanges))),
    answer: actionItem,
    example: { body: { description: 'Send both garden plans to Ann' } },
    handle: async ({ caller, path, body }) => {
      const [patch] = await momentsOf(sql, caller.uid, actionItemRecord, [body]);
      return updateActionItem(sql, caller.uid, path.id, patch!, 'tools');
    },
  });

const deleteAssistantActionItemRoute = ({ sql }: RouteContext): Route =>
  route({
    ...itemWrite,
    method: 'DELETE',
    url: itemPath,
    operationId: 'deleteAssistantActionItem',
    summary: 'Delete a task permanently',
    resource: itemResource,
    path: idPath,
    answer: ok,
    example: { answer: done },
    handle: async ({ caller, path }) => {
      await deleteActionItem(sql, caller.uid, path.id);
      return done;
    },
  });

/** Returns the routes that offer the assistants' tools as plain HTTP requests. */
export const assistantRestRoutes = (context: RouteContext): readonly Route[] => {
  const tools = new Map<string, Tool>(allTools(context).map((one) => [one.name, one]));
  return [
    ...toolReads.map((read) => listRoute(read, tools.get(read.tool)!)),
    getAssistantConversationRoute(context),
    createAssistantMemoryRoute(context),
    editAssistantMemoryRoute(context),
    deleteAssistantMemoryRoute(context),
    createAssistantActionItemRoute(context),
    completeAssistantActionItemRoute(context),
    updateAssistantActionItemRoute(context),
    deleteAssistantActionItemRoute(context),
  ];
};

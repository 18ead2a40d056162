import { z } from 'zod';
import type { ErrorCode } from '../../errors/index.js';
import {
  actionItemRecord,
  alternatives,
  memoryRecord,
  toolMemoryCategories,
} from '../../wire/records/index.js';
import type { RouteHead } from '../frame/index.js';
import { boolean, changeOf, toolShape } from '../schemas/index.js';
import { actionItem, memory } from './toolkit/index.js';

/** A REST change that does the same as a tool of assistants. */
export interface ToolWrite extends Pick<RouteHead, 'method' | 'operationId' | 'summary' | 'example'> {
  readonly path: string;
  readonly tool: string;
  readonly errors: readonly ErrorCode[];
  /** The changed record: the tool's argument for its id, and the operation that creates it. */
  readonly named?: { readonly argument: string; readonly createdBy: string };
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Converts the query to arguments of the tool, if their names differ. */
  readonly given?: (query: Readonly<Record<string, unknown>>) => object;
  /** The member of the tool's answer that the route returns. Absent: the route returns a status. */
  readonly member?: 'memory' | 'action_item';
  readonly answer: z.ZodType;
}

const status = {
  answer: z.object({ status: z.literal('ok') }).meta({ id: 'StatusOk' }),
  example: { answer: { status: 'ok' } },
} as const;
const create = { method: 'POST', errors: ['records_full'] } as const;
const changed = { errors: ['record_not_found', 'locked'] } as const;
const memoryNamed = {
  ...changed,
  path: 'memories/{id}',
  named: { argument: 'memory_id', createdBy: 'createAssistantMemory' },
} as const;
const itemNamed = {
  ...changed,
  path: 'action-items/{id}',
  named: { argument: 'action_item_id', createdBy: 'createAssistantActionItem' },
  member: 'action_item',
  answer: actionItem,
} as const;
const itemChanges = toolShape(actionItemRecord, 'change');
const newMemory = toolShape(memoryRecord, 'create', { category: z.enum(toolMemoryCategories) });
const { content: _value, ...memoryChanges } = toolShape(memoryRecord, 'change');

export const toolWrites: readonly ToolWrite[] = [
  {
    ...create,
    path: 'memories',
    operationId: 'createAssistantMemory',
    summary: 'Remember a fact about the user',
    tool: 'create_memory',
    body: z.object(newMemory),
    member: 'memory',
    answer: memory,
    example: { body: { content: 'Prefers the early train' } },
  },
  {
    ...memoryNamed,
    ...status,
    method: 'PATCH',
    operationId: 'editAssistantMemory',
    summary: 'Replace the content of a memory',
    tool: 'edit_memory',
    query: z.object({ value: newMemory.content, ...memoryChanges }),
    given: ({ value, ...patch }) => ({ ...patch, content: value }),
    example: { query: { value: 'Prefers the late train' }, ...status.example },
  },
  {
    ...memoryNamed,
    ...status,
    method: 'DELETE',
    operationId: 'deleteAssistantMemory',
    summary: 'Delete a memory permanently',
    tool: 'delete_memory',
  },
  {
    ...create,
    path: 'action-items',
    operationId: 'createAssistantActionItem',
    summary: 'Add a task. A repeated request with the same description adds nothing',
    tool: 'create_action_item',
    body: z.object(toolShape(actionItemRecord, 'create')),
    member: 'action_item',
    answer: actionItem,
    example: { body: { description: 'Send the garden plan to Ann' } },
  },
  {
    ...itemNamed,
    path: `${itemNamed.path}/complete`,
    method: 'POST',
    operationId: 'completeAssistantActionItem',
    summary: 'Complete a task, or open it again',
    tool: 'complete_action_item',
    query: z.object({ completed: boolean.default(true) }),
  },
  {
    ...itemNamed,
    method: 'PATCH',
    operationId: 'updateAssistantActionItem',
    summary: 'Change the description or the due date of a task',
    tool: 'update_action_item',
    body: changeOf(itemChanges, alternatives(Object.keys(itemChanges))),
    example: { body: { description: 'Send both garden plans to Ann' } },
  },
  {
    ...changed,
    ...status,
    path: itemNamed.path,
    named: itemNamed.named,
    method: 'DELETE',
    operationId: 'deleteAssistantActionItem',
    summary: 'Delete a task permanently',
    tool: 'delete_action_item',
  },
];

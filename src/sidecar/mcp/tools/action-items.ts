import { z } from 'zod';
import { momentsOf, timesOf } from '../../../service/days/index.js';
import {
  createActionItemOnce,
  deleteActionItem,
  listActionItems,
  searchActionItems,
  updateActionItem,
} from '../../../service/records/index.js';
import { actionItemRecord } from '../../../wire/records/index.js';
import {
  actionItem,
  flag,
  flagOr,
  fromTime,
  id,
  limit,
  offset,
  query,
  recordArguments,
  relevance,
  success,
  type Tool,
  type ToolContext,
  type ToolGroup,
  tool,
  toTime,
} from '../toolkit/index.js';

const actionItemId = id('task');
const reads = { scopes: ['action_items.read'], effect: 'read' } as const;
const writes = { scopes: ['action_items.write'], limits: ['action_items:write'] } as const;
const changed = success.extend({ action_item: actionItem });

const getActionItemsTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'get_action_items',
    title: 'List tasks',
    description: 'Tasks of the user: open ones first, then by due date.',
    ...reads,
    input: z.object({
      completed: flag('Only completed tasks, or only open ones'),
      due_start_date: fromTime('Tasks that are due'),
      due_end_date: toTime('Tasks that are due'),
      limit: limit(100, 500),
      offset,
    }),
    output: z.object({ action_items: z.array(actionItem), has_more: z.boolean() }),
    call: async ({ uid, given }) => {
      const due = await timesOf(sql, uid, { dueFrom: given.due_start_date, dueTo: given.due_end_date });
      const { items, next } = await listActionItems(sql, uid, {
        ...due,
        completed: given.completed,
        locked: true,
        limit: given.limit,
        offset: given.offset,
      });
      return { action_items: items, has_more: next !== null };
    },
  });

const searchActionItemsTool = ({ sql, search }: ToolContext): Tool =>
  tool({
    name: 'search_action_items',
    title: 'Search tasks',
    description: 'Tasks that match a query, most relevant first.',
    ...reads,
    input: z.object({ query, limit: limit(10, 50) }),
    output: z.object({ action_items: z.array(actionItem.extend({ relevance_score: relevance })) }),
    call: async ({ uid, given: { query: text, limit } }) => ({
      action_items: (
        await searchActionItems(search, sql, uid, { text, limit, locked: true, surface: 'tools' })
      ).items,
    }),
  });

const createActionItemTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'create_action_item',
    title: 'Add a task',
    description:
      'Adds a task. A repeated call with the same description adds nothing and returns the existing task.',
    ...writes,
    effect: 'add once',
    input: z.object(recordArguments(actionItemRecord, 'create')),
    output: changed,
    call: async ({ uid, given }) => {
      const [item] = await momentsOf(sql, uid, [given]);
      return { success: true, action_item: await createActionItemOnce(sql, uid, item!) };
    },
  });

const completeActionItemTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'complete_action_item',
    title: 'Complete a task',
    description: 'Marks a task as done, or as open again with completed=false.',
    ...writes,
    effect: 'change',
    input: z.object({ action_item_id: actionItemId, completed: flagOr(true, 'False opens the task again') }),
    output: changed,
    call: async ({ uid, given: { action_item_id, completed } }) => ({
      success: true,
      action_item: await updateActionItem(sql, uid, action_item_id, { completed }, 'tools'),
    }),
  });

const updateActionItemTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'update_action_item',
    title: 'Change a task',
    description: 'Changes the description or the due date of a task. Omitted arguments are not changed.',
    ...writes,
    effect: 'change',
    input: z.object({ action_item_id: actionItemId, ...recordArguments(actionItemRecord, 'change') }),
    output: changed,
    call: async ({ uid, given: { action_item_id, ...given } }) => {
      const [patch] = await momentsOf(sql, uid, [given]);
      const item = await updateActionItem(sql, uid, action_item_id, patch!, 'tools');
      return { success: true, action_item: item };
    },
  });

const deleteActionItemTool = ({ sql }: ToolContext): Tool =>
  tool({
    name: 'delete_action_item',
    title: 'Delete a task',
    description: 'Deletes a task permanently.',
    ...writes,
    effect: 'delete',
    input: z.object({ action_item_id: actionItemId }),
    output: success,
    call: async ({ uid, given: { action_item_id } }) => {
      await deleteActionItem(sql, uid, action_item_id);
      return { success: true };
    },
  });

/** Returns the tools for tasks of the user. */
export const actionItemTools: ToolGroup = (context) => [
  getActionItemsTool(context),
  searchActionItemsTool(context),
  createActionItemTool(context),
  completeActionItemTool(context),
  updateActionItemTool(context),
  deleteActionItemTool(context),
];

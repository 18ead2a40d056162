import { momentsOf, timesOf } from '../../service/days/index.js';
import {
  createActionItems,
  deleteActionItem,
  getActionItem,
  listActionItemsInParts,
  updateActionItem,
} from '../../service/records/index.js';
import { developerKey } from '../access/index.js';
import { deletion, type Route, type RouteContext, recordHeads, route } from '../frame/index.js';
import {
  actionItemAnswer,
  actionItemBody,
  actionItemPatch,
  actionItemsAnswer,
  actionItemsBody,
  actionItemsQuery,
  creationKey,
  exampleActionItem,
  sendPage,
} from '../schemas/index.js';

const body = { description: 'Send the garden plan to Ann', due_at: '2026-03-06T17:00:00Z' };
const heads = recordHeads({
  url: '/v1/dev/user/action-items',
  tag: 'Action Items',
  one: 'ActionItem',
  many: 'ActionItems',
  read: { access: developerKey('action_items:read'), limits: ['dev:action_items_read'] },
  write: { access: developerKey('action_items:write'), limits: ['dev:action_items_write'] },
  answer: actionItemAnswer,
});

const listActionItemsRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.list,
    summary: 'Action items: open ones first, then by due date, then the newest',
    query: actionItemsQuery,
    inParts: true,
    example: { query: { completed: 'false', limit: '10' }, answer: [exampleActionItem] },
    handle: async ({ caller, query, reply }) => {
      const { conversation_id, start_date, end_date, ...rest } = query;
      const period = await timesOf(sql, caller.uid, { from: start_date, to: end_date });
      const filter = { ...rest, conversationId: conversation_id, ...period };
      return sendPage(reply, await listActionItemsInParts(sql, caller.uid, filter));
    },
  });

const createActionItemRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.create,
    summary: 'Create an action item',
    body: actionItemBody,
    example: { body, answer: exampleActionItem },
    handle: async ({ caller, headers, body: { client_session_id, ...item } }) => {
      const key = creationKey(headers, { client_session_id });
      const made = await momentsOf(sql, caller.uid, [item]);
      return (await createActionItems(sql, caller.uid, made, key))[0]!;
    },
  });

const createActionItemsBatchRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.createBatch,
    summary: 'Create several action items, all or none',
    body: actionItemsBody,
    answer: actionItemsAnswer,
    example: {
      body: { action_items: [body] },
      answer: { action_items: [exampleActionItem], created_count: 1 },
    },
    handle: async ({ caller, headers, body: given }) => {
      const key = creationKey(headers, given);
      const made = await momentsOf(sql, caller.uid, given.action_items);
      const items = await createActionItems(sql, caller.uid, made, key);
      return { action_items: items, created_count: items.length };
    },
  });

const getActionItemRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.get,
    summary: 'One action item',
    errors: ['record_not_found', 'locked'],
    example: { answer: exampleActionItem },
    handle: ({ caller, path }) => getActionItem(sql, caller.uid, path.id, 'refused'),
  });

const updateActionItemRoute = ({ sql }: RouteContext): Route =>
  route({
    ...heads.update,
    summary: 'Change an action item; absent fields stay as they are',
    errors: ['record_not_found', 'locked'],
    body: actionItemPatch,
    example: {
      body: { completed: true, due_at: null },
      answer: { ...exampleActionItem, completed: true, completed_at: '2026-03-02T08:00:00Z', due_at: null },
    },
    handle: async ({ caller, path, body: given }) => {
      const [patch] = await momentsOf(sql, caller.uid, [given]);
      return updateActionItem(sql, caller.uid, path.id, patch!);
    },
  });

const deleteActionItemRoute = ({ sql }: RouteContext): Route =>
  deletion({
    ...heads.remove,
    summary: 'Delete an action item permanently',
    errors: ['record_not_found', 'locked'],
    remove: ({ caller, path }) => deleteActionItem(sql, caller.uid, path.id),
  });

/** Returns the routes of the developer API for action items. */
export const actionItemRoutes = (context: RouteContext): readonly Route[] => [
  listActionItemsRoute(context),
  createActionItemRoute(context),
  createActionItemsBatchRoute(context),
  getActionItemRoute(context),
  updateActionItemRoute(context),
  deleteActionItemRoute(context),
];

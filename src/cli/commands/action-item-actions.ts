import type { Schemas } from '../../client/index.js';
import { answered, recordById } from '../api/index.js';
import type { ActionItemChange, ActionItemListOptions, NewActionItem } from '../arguments/index.js';
import type { Column } from '../output/index.js';
import type { Session } from '../session/index.js';
import { CommandFailure } from '../terminal/index.js';
import { changes, confirmed, creation, printFound, printList, textArgument } from './support.js';

type ActionItem = Schemas['DeveloperActionItem'];

/** Tasks of one page, at most. */
const page = 200;
const path = '/v1/dev/user/action-items';
const byId = '/v1/dev/user/action-items/{id}';

const columns: readonly Column[] = [
  { head: 'id', value: (row: ActionItem) => row.id },
  { head: 'done', value: (row: ActionItem) => row.completed },
  { head: 'description', value: (row: ActionItem) => row.description, width: 60 },
  { head: 'due', value: (row: ActionItem) => row.due_at },
];

/** Whether a task is done, where it was said. */
const completedOf = ({ completed, open }: { completed?: boolean; open?: boolean }): boolean | undefined =>
  open ? false : completed;

export const listActionItems = async (session: Session, options: ActionItemListOptions): Promise<void> => {
  const completed = completedOf(options);
  const from = options.since ?? options.startDate;
  const { endDate: to, conversationId } = options;
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to) && from.slice(0, 10) !== to)
    throw new CommandFailure('refused', 'The start date is after the end date.');
  const filter = {
    ...(completed !== undefined && { completed }),
    ...(conversationId !== undefined && { conversation_id: conversationId }),
    ...(from !== undefined && { start_date: from }),
    ...(to !== undefined && { end_date: to }),
  };
  const api = await session.api();
  await printList<ActionItem>(session, options, {
    columns,
    page,
    ask: (query) => api.GET(path, { params: { query: { ...query, ...filter } } }),
  });
};

export const getActionItem = async (session: Session, id: string): Promise<void> => {
  const api = await session.api();
  const single = await api.GET(byId, { params: { path: { id } } });
  const item = await recordById<ActionItem>('action item', id, single, (query) =>
    api.GET(path, { params: { query } }),
  );
  await session.print.record(item);
};

export const searchActionItems = async (
  session: Session,
  query: string,
  { limit }: { limit: number },
): Promise<void> => {
  const api = await session.api();
  const found = answered(
    await api.GET('/v1/dev/user/action-items/vector/search', { params: { query: { query, limit } } }),
  );
  await printFound(session, found, columns);
};

export const createActionItem = async (
  session: Session,
  given: string,
  options: NewActionItem,
): Promise<void> => {
  const description = await textArgument(session, given, 'description');
  const api = await session.api();
  const body = {
    description,
    completed: completedOf(options) ?? false,
    ...(options.dueAt !== undefined && { due_at: options.dueAt }),
  };
  await session.print.record(answered(await api.POST(path, { params: creation(options), body })));
};

export const updateActionItem = async (
  session: Session,
  id: string,
  given: ActionItemChange,
): Promise<void> => {
  const { description, dueAt, clearDueAt } = given;
  const body = changes({
    description:
      description === undefined ? undefined : await textArgument(session, description, 'description'),
    completed: completedOf(given),
    due_at: clearDueAt ? null : dueAt,
  });
  const api = await session.api();
  await session.print.record(answered(await api.PATCH(byId, { params: { path: { id } }, body })));
};

export const deleteActionItem = async (
  session: Session,
  id: string,
  { yes }: { yes?: boolean },
): Promise<void> => {
  const api = await session.api();
  await confirmed(session, `Delete action item ${id}?`, yes);
  const answer = answered(await api.DELETE(byId, { params: { path: { id } } }));
  await session.print.deleted(`action item ${id}`, answer);
};

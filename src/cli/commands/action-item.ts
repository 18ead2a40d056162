import type { Command } from 'commander';
import { actionItemRecord } from '../../client/records/index.js';
import { type Acting, type Fields, periodSettings, recordId, setting } from '../arguments/index.js';
import { CommandFailure } from '../terminal/index.js';
import { columnsOf } from './columns.js';
import { commandGroup, type RecordKind, recordCommands, singleCommand } from './record-commands.js';

const kind: RecordKind = {
  path: '/v1/dev/user/action-items',
  record: actionItemRecord,
  columns: columnsOf(actionItemRecord),
  page: () => 200,
  noun: 'task',
  nouns: 'tasks',
  soughtAs: actionItemRecord.one,
};

const filters = [
  setting('completed', '--completed', 'only those that are done'),
  setting('completed', '--open', 'only those that are not done', { value: false, conflicts: 'completed' }),
  setting('conversation_id', '--conversation-id <id>', 'only those of this conversation', {
    parse: recordId,
  }),
  ...periodSettings('created'),
];

/** @throws CommandFailure `refused` */
const check = ({ start_date: start, end_date: end }: Fields): void => {
  if (typeof start !== 'string' || typeof end !== 'string') return;
  if (Date.parse(start) > Date.parse(end) && start.slice(0, 10) !== end)
    throw new CommandFailure('refused', 'The start date is after the end date.');
};

/** Tasks. */
export const actionItemCommand = (act: Acting): Command => {
  const { list, get, search, create, update, remove } = recordCommands(act, kind);
  return commandGroup('action-item', 'tasks', [
    list({
      help: 'tasks: open ones first, then by due date, then the newest',
      usual: 100,
      filters,
      check,
    }),
    get(),
    search('/v1/dev/user/action-items/vector/search'),
    create(),
    update(),
    singleCommand('complete', 'mark a task as done; the same as "update ID --completed"').action(
      act<[string]>(async (session, id) =>
        (await import('./record-actions.js')).updateRecord(session, kind, id, { completed: true }),
      ),
    ),
    remove(),
  ]);
};

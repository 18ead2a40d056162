import type { Command } from 'commander';
import { actionItemRecord } from '../../client/records/index.js';
import { type Acting, type Fields, periodSettings, recordId, setting } from '../arguments/index.js';
import { refused } from '../terminal/index.js';
import { commandGroup } from './command-group.js';
import { columnsOf, listCommand, type RecordKind, recordCommands, singleCommand } from './record-commands.js';

const kind: RecordKind = {
  path: '/v1/dev/user/action-items',
  record: actionItemRecord,
  columns: columnsOf(actionItemRecord),
  page: () => 200,
  noun: 'task',
  nouns: 'tasks',
  soughtAs: actionItemRecord.one,
};

const settings = [
  setting('completed', '--completed', 'only those that are done'),
  setting('completed', '--open', 'only those that are not done', { value: false, conflicts: 'completed' }),
  setting('conversation_id', '--conversation-id <id>', 'only those of this conversation', {
    parse: recordId,
  }),
  ...periodSettings('created'),
];

/** Checks that the period does not end before it starts. @throws CommandFailure `refused` */
const check = ({ start_date: start, end_date: end }: Fields): void => {
  if (typeof start !== 'string' || typeof end !== 'string') return;
  if (Date.parse(start) > Date.parse(end) && start.slice(0, 10) !== end)
    throw refused('The start date is after the end date.');
};

/** Creates the commands for tasks. */
export const actionItemCommand = (act: Acting): Command => {
  const { get, search, create, update, remove } = recordCommands(act, kind);
  const listHelp = 'tasks: open ones first, then by due date, then the newest';
  return commandGroup('action-item', 'tasks', [
    listCommand(act, kind, listHelp, 100, { settings, check }),
    get(),
    search('/v1/dev/user/action-items/vector/search'),
    create(),
    update(),
    singleCommand('complete', 'mark a task as done; the same as "update ID --completed"').action(
      act(() => import('./record-actions.js'), 'changeRecord', kind, { completed: true }),
    ),
    remove(),
  ]);
};

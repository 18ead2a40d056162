import type { Command } from 'commander';
import { goalRecord } from '../../client/records/index.js';
import { type Acting, anyNumber, setting, wholeNumber } from '../arguments/index.js';
import { commandGroup } from './command-group.js';
import { columnsOf, listCommand, type RecordKind, recordCommands, singleCommand } from './record-commands.js';

const actions = () => import('./goal-actions.js');

const kind: RecordKind = {
  path: '/v1/dev/user/goals',
  record: goalRecord,
  columns: columnsOf(goalRecord),
  page: () => 100,
  parts: ' and its history',
  shown: async () => (await actions()).fieldsShown,
};

const settings = [
  setting('include_inactive', '--include-inactive', 'also paused and ended goals, newest first', {
    usual: false,
  }),
];

/** Creates the commands for goals. */
export const goalCommand = (act: Acting): Command => {
  const { get, create, update, remove } = recordCommands(act, kind);
  return commandGroup('goal', 'goals and their progress', [
    listCommand(act, kind, 'active goals, oldest first', 10, { settings }),
    get(),
    create('; at most three are active, a fourth pauses the oldest'),
    update(),
    singleCommand('progress', "set today's value")
      .argument('<value>', 'value', anyNumber)
      .action(act(actions, 'setProgress', kind)),
    singleCommand('history', 'the values of the last days, newest first')
      .option('--days <n>', 'days', wholeNumber(1, 1_000_000), 30)
      .action(act(actions, 'showHistory')),
    remove(),
  ]);
};

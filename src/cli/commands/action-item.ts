import { Command, Option } from 'commander';
import {
  type Acting,
  type ActionItemChange,
  type ActionItemListOptions,
  dateArgument,
  type NewActionItem,
  recordId,
  sinceArgument,
  wholeNumber,
  withCreateOptions,
  withListOptions,
  withYes,
} from '../arguments/index.js';

const withState = (command: Command, completed: string, open: string): Command =>
  command.option('--completed', completed).addOption(new Option('--open', open).conflicts('completed'));

/** Tasks. */
export const actionItemCommand = (act: Acting): Command => {
  const actions = () => import('./action-item-actions.js');
  const list = withState(
    withListOptions(new Command('list'), 100),
    'only those that are done',
    'only those that are not done',
  )
    .description('tasks: open ones first, then by due date, then the newest')
    .option('--conversation-id <id>', 'only those of this conversation', recordId)
    .option('--since <when>', 'created since a date, or 30m, 12h, 7d, 2w ago', sinceArgument)
    .addOption(
      new Option('--start-date <date>', 'created on this date or later')
        .argParser(dateArgument)
        .conflicts('since'),
    )
    .option('--end-date <date>', 'created before, or on this day', dateArgument)
    .action(act<[ActionItemListOptions]>(async (...given) => (await actions()).listActionItems(...given)));

  const get = new Command('get')
    .description('one task')
    .argument('<id>', 'id', recordId)
    .action(act<[string]>(async (...given) => (await actions()).getActionItem(...given)));

  const search = new Command('search')
    .description('tasks that answer a query, the most relevant first')
    .argument('<query>', 'what is looked for, by meaning and by words')
    .option('--limit <n>', 'tasks, at most', wholeNumber(1, 1_000_000), 10)
    .action(
      act<[string, { limit: number }]>(async (...given) => (await actions()).searchActionItems(...given)),
    );

  const create = withState(withCreateOptions(new Command('create')), 'it is done already', 'it is not done')
    .description('store a task')
    .argument('<description>', 'what is to be done; "-" reads standard input')
    .option('--due-at <date>', 'when it is due', dateArgument)
    .action(act<[string, NewActionItem]>(async (...given) => (await actions()).createActionItem(...given)));

  const update = withState(new Command('update'), 'it is done', 'it is not done')
    .description('change a task; what is not given stays')
    .argument('<id>', 'id', recordId)
    .option('--description <text>', 'what is to be done; "-" reads standard input')
    .option('--due-at <date>', 'when it is due', dateArgument)
    .addOption(new Option('--clear-due-at', 'it is due at no time').conflicts('dueAt'))
    .action(
      act<[string, ActionItemChange]>(async (...given) => (await actions()).updateActionItem(...given)),
    );

  const complete = new Command('complete')
    .description('mark a task as done; the same as "update ID --completed"')
    .argument('<id>', 'id', recordId)
    .action(
      act<[string]>(async (session, id) =>
        (await actions()).updateActionItem(session, id, { completed: true }),
      ),
    );

  const remove = withYes(new Command('delete'))
    .description('delete a task for good')
    .argument('<id>', 'id', recordId)
    .action(
      act<[string, { yes?: boolean }]>(async (...given) => (await actions()).deleteActionItem(...given)),
    );

  const group = new Command('action-item').description('tasks');
  for (const command of [list, get, search, create, update, complete, remove]) group.addCommand(command);
  return group;
};

import { Command, Option } from 'commander';
import {
  type Acting,
  anyNumber,
  collected,
  dateArgument,
  type GoalFields,
  type GoalListOptions,
  type NewGoal,
  recordId,
  wholeNumber,
  withCreateOptions,
  withListOptions,
  withYes,
} from '../arguments/index.js';

/** Fields that a new goal and a change have in common. */
const withFields = (command: Command): Command =>
  command
    .option('--target <n>', 'value at which it is reached', anyNumber)
    .addOption(new Option('--type <kind>', 'what is measured').choices(['boolean', 'scale', 'numeric']))
    .option('--current <n>', 'value today', anyNumber)
    .option('--min <n>', 'smallest value', anyNumber)
    .option('--max <n>', 'largest value', anyNumber)
    .option('--unit <name>', 'what the values count')
    .option('--why-it-matters <text>', 'why it matters')
    .option('--success-criterion <text>', 'how it shows that it is reached; can be repeated', collected)
    .option('--horizon-at <date>', 'until when', dateArgument);

/** Goals. */
export const goalCommand = (act: Acting): Command => {
  const actions = () => import('./goal-actions.js');
  const list = withListOptions(new Command('list'), 10)
    .description('active goals, oldest first')
    .option('--include-inactive', 'also those that are paused or have ended, newest first')
    .action(act<[GoalListOptions]>(async (...given) => (await actions()).listGoals(...given)));

  const get = new Command('get')
    .description('one goal')
    .argument('<id>', 'id', recordId)
    .action(act<[string]>(async (...given) => (await actions()).getGoal(...given)));

  const create = withFields(withCreateOptions(new Command('create')))
    .description('store a goal; three are active, with a fourth the oldest is paused')
    .argument('<title>', 'what is to be reached')
    .action(act<[string, NewGoal]>(async (...given) => (await actions()).createGoal(...given)));

  const update = withFields(new Command('update'))
    .description('change a goal; what is not given stays')
    .argument('<id>', 'id', recordId)
    .option('--title <text>', 'what is to be reached')
    .addOption(new Option('--clear-unit', 'the values count nothing').conflicts('unit'))
    .addOption(new Option('--clear-why-it-matters', 'no reason').conflicts('whyItMatters'))
    .addOption(new Option('--clear-success-criteria', 'no criteria').conflicts('successCriterion'))
    .addOption(new Option('--clear-horizon', 'no end').conflicts('horizonAt'))
    .action(act<[string, GoalFields]>(async (...given) => (await actions()).updateGoal(...given)));

  const progress = new Command('progress')
    .description('set the value of today')
    .argument('<id>', 'id', recordId)
    .argument('<value>', 'value', anyNumber)
    .action(act<[string, number]>(async (...given) => (await actions()).setProgress(...given)));

  const history = new Command('history')
    .description('the values of the last days, newest first')
    .argument('<id>', 'id', recordId)
    .option('--days <n>', 'days', wholeNumber(1, 1_000_000), 30)
    .action(act<[string, { days: number }]>(async (...given) => (await actions()).showHistory(...given)));

  const remove = withYes(new Command('delete'))
    .description('delete a goal and its history for good')
    .argument('<id>', 'id', recordId)
    .action(act<[string, { yes?: boolean }]>(async (...given) => (await actions()).deleteGoal(...given)));

  const group = new Command('goal').description('goals and their progress');
  for (const command of [list, get, create, update, progress, history, remove]) group.addCommand(command);
  return group;
};

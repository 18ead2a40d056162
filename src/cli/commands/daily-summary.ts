import { Command } from 'commander';
import { type Acting, dateArgument, setting } from '../arguments/index.js';
import { commandGroup } from './command-group.js';
import { type ListedKind, listCommand } from './record-commands.js';

const kind: ListedKind = {
  path: '/v1/daily-summaries',
  columns: [
    { path: 'date', head: 'day' },
    { path: 'headline', width: 60 },
    { path: 'generated_by', head: 'made by' },
  ],
  page: () => 100,
  own: true,
};

const settings = [
  setting('start_date', '--start-date <date>', 'of this day or later', { parse: dateArgument }),
  setting('end_date', '--end-date <date>', 'of this day or before', { parse: dateArgument }),
];

/** Creates the commands for daily summaries. */
export const dailySummaryCommand = (act: Acting): Command =>
  commandGroup('daily-summary', 'summaries of days; needs a sign-in in a browser', [
    listCommand(act, kind, 'summaries of days, newest first', 25, { settings }),
    new Command('get')
      .description('the summary of a day')
      .argument('<day>', 'the day, such as 2026-03-01', dateArgument)
      .action(act(() => import('./record-actions.js'), 'getRecord', kind, [])),
  ]);

import { Command } from 'commander';
import { type Acting, dateArgument, type SummaryListOptions, withListOptions } from '../arguments/index.js';

/** Summaries of days. */
export const dailySummaryCommand = (act: Acting): Command => {
  const actions = () => import('./daily-summary-actions.js');
  return new Command('daily-summary')
    .description('summaries of days; needs a sign-in in a browser')
    .addCommand(
      withListOptions(new Command('list'), 25)
        .description('summaries of days, newest first')
        .option('--start-date <date>', 'of this day or later', dateArgument)
        .option('--end-date <date>', 'of this day or before', dateArgument)
        .action(act<[SummaryListOptions]>(async (...given) => (await actions()).listSummaries(...given))),
    )
    .addCommand(
      new Command('get')
        .description('the summary of a day')
        .argument('<day>', 'the day, such as 2026-03-01', dateArgument)
        .action(act<[string]>(async (...given) => (await actions()).getSummary(...given))),
    );
};

import { Command, Option } from 'commander';
import { withCapacityOptions, withFleetOptions, wordsOf } from '../../command-line/fleet-options.js';
import { runLoadSuite } from '../../command-line/load-suite.js';
import { withReportOptions } from '../../command-line/report-suite.js';
import { fleetCodecs } from '../../fleet/fleet-model.js';
import type { ReportFiles } from '../../report/index.js';
import { type ComparisonArguments, comparisonOf, contendersOf, withComparison } from './comparison.js';

interface Options extends ComparisonArguments, ReportFiles {}

const run = async (options: Options): Promise<void> => {
  const contenders = await contendersOf({ ...options, self: true, hosted: [], listeners: [] });
  const { runDay } = await import('../../suites/day.js');
  await runLoadSuite('day', options, { stt: 'discard' }, (watched) =>
    runDay({ ...comparisonOf(options), ...watched, contenders }),
  );
};

export const dayCommand = (): Command => {
  const command = new Command('day')
    .description("CPU time of a wearer's day: speech for a quarter of the time, among changing sounds")
    .addOption(
      new Option('--codec <list>', 'what it sends')
        .argParser(wordsOf(fleetCodecs))
        .default(['opus', 'opus_dtx', 'lc3', 'pcm16'], 'opus,opus_dtx,lc3,pcm16'),
    );
  return withReportOptions(
    withCapacityOptions(withFleetOptions(withComparison(command, [{ share: 0.7 }], '70%')), 20),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench day --streams 200 --json day.json
  $ cochlea bench day --codec opus --peers node,python --html day.html`,
    )
    .action(run);
};

import { Command } from 'commander';
import {
  type CapacityArguments,
  type LoadArguments,
  loadOf,
  type MixArguments,
  withCapacityOptions,
  withFleetOptions,
  withMixOption,
} from '../../command-line/fleet-options.js';
import { loadOption } from '../../command-line/load-option.js';
import { runLoadSuite } from '../../command-line/load-suite.js';
import { withReportOptions } from '../../command-line/report-suite.js';
import { wholeNumber } from '../../command-line/whole-number.js';
import type { ReportFiles } from '../../report/index.js';
import type { AskedLoad } from '../../suites/asked-load.js';

interface Options extends LoadArguments, MixArguments, CapacityArguments, ReportFiles {
  readonly streams: AskedLoad;
  readonly consoles: number;
  readonly rounds: number;
  readonly seconds: number;
}

const run = async (options: Options): Promise<void> => {
  const { runConsoles } = await import('../../suites/consoles.js');
  const { streams, consoles, rounds, seconds, cpus } = options;
  await runLoadSuite('consoles', options, { stt: 'provider_b', consoles }, (watched) =>
    runConsoles({
      ...loadOf(options),
      ...watched,
      asked: streams,
      consoles,
      rounds,
      seconds,
      cpus,
      capacity: options,
    }),
  );
};

export const consolesCommand = (): Command => {
  const command = new Command('consoles')
    .description('CPU time of the engine, with and without consoles that record and poll')
    .addOption(loadOption({ streams: 400 }, '400'))
    .option('--consoles <number>', 'consoles that record at once', wholeNumber, 5)
    .option('--rounds <number>', 'paired rounds; each measures four times', wholeNumber, 5)
    .option('--seconds <number>', 'measured seconds, four times a round', wholeNumber, 30);
  return withReportOptions(withCapacityOptions(withFleetOptions(withMixOption(command), 5), 10))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench consoles
  $ cochlea bench consoles --streams 50 --rounds 2 --seconds 10 --json consoles.json

Each round measures the streams alone, beside consoles with and without "activity=true", and alone again. Fails when consoles or
activity cost more CPU than the difference between the two measurements without consoles, at least 2 %, or when a frame or a stream is
lost.`,
    )
    .action(run);
};

import { Command, Option } from 'commander';
import {
  type CapacityArguments,
  fleetOptionsOf,
  type LoadArguments,
  withCapacityOptions,
  withFleetOptions,
  wordsOf,
} from '../../command-line/fleet-options.js';
import { loadArgument } from '../../command-line/load-option.js';
import { runLoadSuite } from '../../command-line/load-suite.js';
import { withReportOptions } from '../../command-line/report-suite.js';
import { wholeNumber } from '../../command-line/whole-number.js';
import { type FleetCodec, fleetCodecs } from '../../fleet/fleet-model.js';
import type { ReportFiles } from '../../report/index.js';
import type { AskedLoad } from '../../suites/asked-load.js';
import { contendersOf, costPeers } from './cost.js';

interface Options extends LoadArguments, CapacityArguments, ReportFiles {
  readonly codec: FleetCodec[];
  readonly streams: AskedLoad[];
  readonly seconds: number;
  readonly peers: (typeof costPeers)[number][];
}

const run = async (options: Options): Promise<void> => {
  const contenders = await contendersOf({ ...options, self: true, hosted: [], listeners: [] });
  const { runDay } = await import('../../suites/day.js');
  const { streams, seconds, settle, slice, codec } = options;
  await runLoadSuite('day', options, { stt: 'discard' }, (watched) =>
    runDay({
      ...fleetOptionsOf(options),
      ...watched,
      contenders,
      loads: streams,
      codecs: codec,
      settle,
      seconds,
      slice,
      capacity: options,
    }),
  );
};

export const dayCommand = (): Command => {
  const command = new Command('day')
    .description("CPU time of a wearer's day: speech for a quarter of the time, among changing sounds")
    .addOption(
      new Option('--codec <list>', 'what it sends')
        .argParser(wordsOf(fleetCodecs))
        .default(['opus', 'opus_dtx', 'lc3', 'pcm16'], 'opus,opus_dtx,lc3,pcm16'),
    )
    .addOption(
      new Option(
        '--streams <list>',
        "loads: streams, or shares of each server's own capacity, which is found first",
      )
        .argParser((text: string) => text.split(',').map(loadArgument))
        .default([{ share: 0.7 }], '70%'),
    )
    .option('--seconds <number>', 'measured seconds', wholeNumber, 30)
    .addOption(
      new Option('--peers <list>', `servers to compare with: ${costPeers.join(', ')}`)
        .argParser(wordsOf(costPeers))
        .default([], 'none'),
    );
  return withReportOptions(withCapacityOptions(withFleetOptions(command), 20))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench day --streams 200 --json day.json
  $ cochlea bench day --codec opus --peers node,python --html day.html`,
    )
    .action(run);
};

import { Command, Option } from 'commander';
import {
  withCapacityOptions,
  withFleetOptions,
  withMixOptions,
  wordsOf,
} from '../../command-line/fleet-options.js';
import { runLoadSuite } from '../../command-line/load-suite.js';
import { withReportOptions } from '../../command-line/report-suite.js';
import type { FleetMaterial } from '../../fleet/fleet-model.js';
import { hostedProviders } from '../../fleet/targets/hosted-target.js';
import type { ReportFiles } from '../../report/index.js';
import {
  type ComparisonArguments,
  comparisonOf,
  contendersOf,
  type EngineArguments,
  listeners,
  withComparison,
} from './comparison.js';

interface Options extends ComparisonArguments, EngineArguments, ReportFiles {
  readonly material: FleetMaterial[];
}

const run = async (options: Options): Promise<void> => {
  const [{ runCost }, contenders] = await Promise.all([
    import('../../suites/cost.js'),
    contendersOf(options),
  ]);
  await runLoadSuite('cost', options, { stt: 'discard' }, (watched) =>
    runCost({
      ...comparisonOf(options),
      ...watched,
      suite: 'cost',
      contenders,
      materials: options.material,
    }),
  );
};

export const costCommand = (): Command => {
  const command = withComparison(
    new Command('cost').description(
      'CPU cost of a stream-second by number of streams, compared with other servers',
    ),
    [{ streams: 50 }, { streams: 100 }, { streams: 200 }],
    '50,100,200',
  )
    .addOption(
      new Option(
        '--listeners <list>',
        `measure the engine with each of these listeners: ${listeners.join(', ')}`,
      )
        .argParser(wordsOf(listeners))
        .default([], "the machine's own"),
    )
    .option(
      '--continuous',
      'also measure the engine with a provider in another process, which receives all audio of every stream',
    )
    .addOption(
      new Option(
        '--hosted <list>',
        `also measure the engine with each of these providers; their services are stubs in separate processes: ${hostedProviders.join(', ')}`,
      )
        .argParser(wordsOf(hostedProviders))
        .default([], 'none'),
    )
    .option('--no-self', 'measure only the peers');
  return withReportOptions(withCapacityOptions(withFleetOptions(withMixOptions(command)), 20))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench cost --streams 50,100,200,70% --material speech,quiet-day --json cost.json
  $ cochlea bench cost --streams 70% --peers node,node-batched,node-workers,python --html cost.html
  $ cochlea bench cost --streams 50,400 --listeners uws,ws
  $ cochlea bench cost --streams 100,500 --continuous
  $ cochlea bench cost --streams 500 --hosted provider_b,provider_a,deepgram --fail-if 'ratio>1.4'
  $ cochlea bench cost --streams 200 --codec opus,mixed --seconds 10 --fail-if 'cpu_ms_per_stream_s>2.5'`,
    )
    .action(run);
};

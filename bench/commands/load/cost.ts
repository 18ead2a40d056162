import { Command, Option } from 'commander';
import {
  type CapacityArguments,
  fleetOptionsOf,
  type LoadArguments,
  withCapacityOptions,
  withFleetOptions,
  withMixOptions,
  wordsOf,
} from '../../command-line/fleet-options.js';
import { loadArgument } from '../../command-line/load-option.js';
import { runLoadSuite } from '../../command-line/load-suite.js';
import { withReportOptions } from '../../command-line/report-suite.js';
import { wholeNumber } from '../../command-line/whole-number.js';
import type { FleetCodec, FleetMaterial } from '../../fleet/fleet-model.js';
import { type HostedProvider, hostedProviders } from '../../fleet/targets/hosted-target.js';
import type { PeerName } from '../../peers/index.js';
import type { ReportFiles } from '../../report/index.js';
import type { AskedLoad } from '../../suites/asked-load.js';
import type { CostContender } from '../../suites/cost.js';

export const costPeers = [
  'node',
  'node-batched',
  'node-workers',
  'python',
] as const satisfies readonly PeerName[];

const listeners = ['uws', 'ws'] as const;
/** Value of the listener setting for each listener. uWebSockets.js is measured even if it fails its self-test. */
const settingOf = { uws: 'uws-untested', ws: 'ws' } as const;

interface Options extends LoadArguments, CapacityArguments, ReportFiles {
  readonly codec: FleetCodec[];
  readonly material: FleetMaterial[];
  readonly streams: AskedLoad[];
  readonly seconds: number;
  readonly peers: PeerName[];
  readonly self: boolean;
  readonly continuous?: boolean;
  readonly hosted: HostedProvider[];
  readonly listeners: (typeof listeners)[number][];
}

/** Returns the requested engines and peers. Each starts a new process for every load. */
export const contendersOf = async ({
  peers: names,
  self,
  continuous,
  hosted,
  cpus,
  listeners: asked,
}: Pick<Options, 'peers' | 'self' | 'continuous' | 'hosted' | 'cpus' | 'listeners'>): Promise<
  CostContender[]
> => {
  const [{ startEngine }, { startContinuous }, { startHosted }, { startPeer }] = await Promise.all([
    import('../../fleet/targets/engine-target.js'),
    import('../../fleet/targets/continuous-target.js'),
    import('../../fleet/targets/hosted-target.js'),
    import('../../peers/index.js'),
  ]);
  // Rows name the listener only if several listeners are compared. A row without the name can be compared with earlier
  // reports.
  const engines =
    asked.length === 0
      ? [{ name: 'cochlea', start: () => startEngine({ cpus }) }]
      : asked.map((listener): CostContender => {
          const name = `cochlea-${listener}`;
          return {
            name,
            start: () => startEngine({ cpus, name, env: { COCHLEA_LISTENER: settingOf[listener] } }),
          };
        });
  const others = names.map(
    (name): CostContender => ({
      name,
      start: async () => {
        const peer = await startPeer(name, { cpus });
        // Peers also get the label `discard`. They stop where the engine discards utterances.
        return 'skipped' in peer ? peer : { ...peer, stt: 'discard' };
      },
    }),
  );
  const withProvider: CostContender[] = continuous
    ? [{ name: 'cochlea-continuous', start: () => startContinuous({ cpus }) }]
    : [];
  const withHosted = hosted.map(
    (provider): CostContender => ({
      name: `cochlea-${provider}`,
      start: () => startHosted(provider, cpus),
    }),
  );
  return [...(self ? engines : []), ...withProvider, ...withHosted, ...others];
};

const run = async (options: Options): Promise<void> => {
  const [{ runCost }, contenders] = await Promise.all([
    import('../../suites/cost.js'),
    contendersOf(options),
  ]);
  const { streams, seconds, settle, slice, codec, material } = options;
  await runLoadSuite('cost', options, { stt: 'discard' }, (watched) =>
    runCost({
      suite: 'cost',
      ...fleetOptionsOf(options),
      ...watched,
      contenders,
      loads: streams,
      codecs: codec,
      materials: material,
      settle,
      seconds,
      slice,
      capacity: options,
    }),
  );
};

export const costCommand = (): Command => {
  const command = new Command('cost')
    .description('CPU cost of a stream-second by number of streams, compared with other servers')
    .addOption(
      new Option(
        '--streams <list>',
        "loads: streams, or shares of each server's own capacity, which is found first",
      )
        .argParser((text: string) => text.split(',').map(loadArgument))
        .default([{ streams: 50 }, { streams: 100 }, { streams: 200 }], '50,100,200'),
    )
    .option('--seconds <number>', 'measured seconds', wholeNumber, 30)
    .addOption(
      new Option('--peers <list>', `servers to compare with: ${costPeers.join(', ')}`)
        .argParser(wordsOf(costPeers))
        .default([], 'none'),
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

import { type Command, Option } from 'commander';
import {
  type CapacityArguments,
  fleetOptionsOf,
  type LoadArguments,
  wordsOf,
} from '../../command-line/fleet-options.js';
import { loadArgument } from '../../command-line/load-option.js';
import { wholeNumber } from '../../command-line/whole-number.js';
import type { FleetCodec } from '../../fleet/fleet-model.js';
import type { HostedProvider } from '../../fleet/targets/hosted-target.js';
import type { PeerName } from '../../peers/index.js';
import type { AskedLoad } from '../../suites/asked-load.js';
import type { CostContender } from '../../suites/cost.js';

const peers = ['node', 'node-batched', 'node-workers', 'python'] as const satisfies readonly PeerName[];

export const listeners = ['uws', 'ws'] as const;
/** Value of the listener setting for each listener. uWebSockets.js is measured even if it fails its self-test. */
const settingOf = { uws: 'uws-untested', ws: 'ws' } as const;

/** Options of a suite that compares the engine with other servers at the same loads. */
export interface ComparisonArguments extends LoadArguments, CapacityArguments {
  readonly codec: FleetCodec[];
  readonly streams: AskedLoad[];
  readonly seconds: number;
  readonly peers: PeerName[];
}

/** Which engines a suite measures. */
export interface EngineArguments {
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
}: Pick<ComparisonArguments, 'peers' | 'cpus'> & EngineArguments): Promise<CostContender[]> => {
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

/** Returns the settings of a comparison that its contenders share. */
export const comparisonOf = (options: ComparisonArguments) => {
  const { streams, seconds, settle, slice, codec } = options;
  return {
    ...fleetOptionsOf(options),
    loads: streams,
    codecs: codec,
    settle,
    seconds,
    slice,
    capacity: options,
  };
};

/** Adds the options for loads and peers. @param loads default of the loads. @param shown the default, as the help shows it. */
export const withComparison = (command: Command, loads: AskedLoad[], shown: string): Command =>
  command
    .addOption(
      new Option(
        '--streams <list>',
        "loads: streams, or shares of each server's own capacity, which is found first",
      )
        .argParser((text: string) => text.split(',').map(loadArgument))
        .default(loads, shown),
    )
    .option('--seconds <number>', 'measured seconds', wholeNumber, 30)
    .addOption(
      new Option('--peers <list>', `servers to compare with: ${peers.join(', ')}`)
        .argParser(wordsOf(peers))
        .default([], 'none'),
    );

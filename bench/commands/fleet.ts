import { Command, InvalidArgumentError } from 'commander';
import {
  type CapacityArguments,
  type LoadArguments,
  loadOf,
  type MixArguments,
  withCapacityOptions,
  withFleetOptions,
  withMixOption,
} from '../command-line/fleet-options.js';
import { runLoadSuite } from '../command-line/load-suite.js';
import { withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import type { Target } from '../fleet/target.js';
import type { ReportFiles } from '../report/index.js';

interface Options extends LoadArguments, MixArguments, CapacityArguments, ReportFiles {
  readonly url?: string;
  readonly metrics?: string;
  readonly pid?: number;
  readonly name: string;
  readonly header: Readonly<Record<string, string>>;
  readonly streams: number;
  readonly seconds: number;
  readonly findCapacity?: boolean;
}

const address = (text: string): string => {
  if (!/^wss?:\/\/[^/]+\/?$/.test(text)) throw new InvalidArgumentError('like ws://127.0.0.1:8787');
  return text.replace(/\/$/, '');
};

const addHeader = (text: string, before: Readonly<Record<string, string>>): Record<string, string> => {
  const found = /^([\w-]+):\s*(.+)$/.exec(text);
  if (!found) throw new InvalidArgumentError("like 'Authorization: Bearer ...'");
  return { ...before, [found[1]!]: found[2]! };
};

/** Returns the target for a server that already runs. The bench does not stop this server. */
const remote = (url: string, { metrics, pid, name }: Options): Target => ({
  name,
  url,
  metricsUrl: metrics,
  pid,
  versions: {},
  stop: () => Promise.resolve(),
});

const run = async (options: Options): Promise<void> => {
  const [{ runFleet }, { startEngine }] = await Promise.all([
    import('../suites/fleet.js'),
    import('../fleet/targets/engine-target.js'),
  ]);
  const { url, streams, seconds, slo, cpus, findCapacity } = options;
  await runLoadSuite('fleet', options, { stt: url === undefined ? 'discard' : 'unknown' }, (watched) =>
    runFleet({
      ...loadOf(options),
      ...watched,
      headers: options.header,
      target: async () => (url === undefined ? startEngine({ cpus }) : remote(url, options)),
      streams,
      seconds,
      slo,
      capacity: findCapacity ? options : undefined,
    }),
  );
};

export const fleetCommand = (): Command => {
  const command = new Command('fleet')
    .description('a fleet of wearables against a server: CPU per stream, latency, or capacity in streams')
    .option('--url <address>', 'server to load; if absent, Cochlea is started without a transcriber', address)
    .option('--metrics <address>', 'address of its Prometheus page')
    .option('--pid <number>', 'id of its process, if it runs on this machine', wholeNumber)
    .option('--name <name>', 'name of the server in the report', 'server')
    .option('--header <line>', "sent with every upgrade: 'Authorization: Bearer ...'", addHeader, {})
    .option('--streams <number>', 'number of wearables', wholeNumber, 100)
    .option('--seconds <number>', 'measured seconds', wholeNumber, 30)
    .option('--find-capacity', 'find the maximum number of streams within the service level instead');
  return withReportOptions(withCapacityOptions(withFleetOptions(withMixOption(command)), 60))
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench fleet --streams 200 --seconds 30 --material day
  $ cochlea bench fleet --find-capacity --json capacity.json
  $ cochlea bench fleet --url ws://10.0.0.2:8787 --metrics http://10.0.0.2:8789/metrics --header 'Authorization: Bearer ...'
  $ cochlea bench fleet --streams 100 --jitter 20 --stall 0.02 --disconnect 60 --fail-if 'p99_frame_to_vad_ms>50'`,
    )
    .action(run);
};

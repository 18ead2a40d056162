import { type Command, InvalidArgumentError, Option } from 'commander';
import { type FleetCodec, type FleetMaterial, fleetCodecs, fleetMaterials } from '../fleet/fleet-model.js';
import type { FleetOptions } from '../fleet/load.js';
import { parseThreshold, type Threshold } from '../fleet/thresholds.js';
import { wholeNumber } from './whole-number.js';

/** What the commands that load a server have in common. */
export interface LoadArguments {
  readonly codec: FleetCodec;
  readonly material: FleetMaterial;
  readonly ramp: number;
  readonly settle: number;
  readonly slice: number;
  readonly seed: number;
  readonly jitter: number;
  readonly stall: number;
  readonly stallMs: number;
  readonly disconnect: number;
  readonly reconnect: number;
  readonly keepAlive: number;
  readonly odd: number;
  readonly cpus?: string;
  readonly live: boolean;
  readonly failIf: Threshold[];
}

const number =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most)) {
      throw new InvalidArgumentError(`a number from ${least} to ${most}`);
    }
    return value;
  };
const amount = number(0, 1e9);
const share = number(0, 1);

const addThreshold = (text: string, before: Threshold[]): Threshold[] => {
  try {
    return [...before, parseThreshold(text)];
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
};

/** Adds the options of a fleet. */
export const withFleetOptions = (command: Command): Command =>
  command
    .addOption(new Option('--codec <codec>', 'what it sends').choices([...fleetCodecs]).default('opus'))
    .addOption(
      new Option('--material <material>', 'what it hears; day: mostly quiet days, some meetings')
        .choices([...fleetMaterials])
        .default('speech'),
    )
    .option('--ramp <streams>', 'streams opened a second', wholeNumber, 100)
    .option('--settle <s>', 'time that does not count once all streams are open', amount, 4)
    .option('--slice <s>', 'length of a slice; costs scatter between them', number(0.5, 600), 5)
    .option(
      '--seed <number>',
      'where streams begin in their packets, and what the network does',
      wholeNumber,
      1,
    )
    .option('--jitter <ms>', "standard deviation of a packet's delay", amount, 0)
    .option('--stall <share>', 'share of the time that a stream is stalled', share, 0)
    .option('--stall-ms <ms>', 'mean length of a stall', amount, 1000)
    .option('--disconnect <s>', 'mean time between disconnects of a stream; 0: none', amount, 0)
    .option('--reconnect <ms>', 'until a disconnected stream returns', amount, 1000)
    .option('--keep-alive <ms>', 'time between keep-alives; 0: none', amount, 0)
    .option('--odd <share>', 'share of clients that misbehave', share, 0)
    .option('--cpus <list>', 'CPUs the server may run on, as taskset takes them')
    .option('--no-live', 'plain lines on a terminal, too')
    .option(
      '--fail-if <condition>',
      "exit 1 when a row meets it: 'p99_frame_to_vad_ms>50'; several may be given",
      addThreshold,
      [],
    );

/** What the fleet is to do. */
export const fleetOptionsOf = (given: LoadArguments): FleetOptions => ({
  codec: given.codec,
  material: given.material,
  rampPerS: given.ramp,
  seed: given.seed,
  network: {
    jitterMs: given.jitter,
    stallShare: given.stall,
    stallMs: given.stallMs,
    disconnectEveryS: given.disconnect,
    reconnectMs: given.reconnect,
  },
  keepAliveMs: given.keepAlive,
  oddShare: given.odd,
});

import { type Command, InvalidArgumentError, Option } from 'commander';
import { type FleetCodec, type FleetMaterial, fleetCodecs, fleetMaterials } from '../fleet/fleet-model.js';
import type { FleetOptions } from '../fleet/load.js';
import { parseThreshold, type Threshold } from '../fleet/thresholds.js';
import { wholeNumber } from './whole-number.js';

/** Arguments that all commands with a server under load have. */
export interface LoadArguments {
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

/** Returns a parser for options whose value is a comma-separated list of known words. */
export const wordsOf =
  <Word extends string>(known: readonly Word[]) =>
  (text: string): Word[] =>
    text.split(',').map((given) => {
      const word = known.find((name) => name === given.trim());
      if (word === undefined)
        throw new InvalidArgumentError(`some of ${known.join(', ')}, with commas between`);
      return word;
    });

const codecWords = 'what it sends';
const materialWords = 'the sound around it; day: mostly quiet days, some meetings';

/** Adds the options for the codec and the material of a fleet. */
export const withMixOption = (command: Command): Command =>
  command
    .addOption(new Option('--codec <codec>', codecWords).choices([...fleetCodecs]).default('opus'))
    .addOption(
      new Option('--material <material>', materialWords).choices([...fleetMaterials]).default('speech'),
    );

/** Adds options that accept several codecs and materials. Each combination is one fleet. */
export const withMixOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--codec <list>', codecWords).argParser(wordsOf(fleetCodecs)).default(['opus'], 'opus'),
    )
    .addOption(
      new Option('--material <list>', materialWords)
        .argParser(wordsOf(fleetMaterials))
        .default(['speech'], 'speech'),
    );

/**
 * Adds the options that describe a fleet's load.
 * @param settle default of `--settle`: seconds of load before the measurement begins.
 */
export const withFleetOptions = (command: Command, settle = 5): Command =>
  command
    .option('--ramp <streams>', 'number of streams opened per second', wholeNumber, 100)
    .option('--settle <s>', 'time from all streams being open to the measurement', amount, settle)
    .option('--slice <s>', 'length of a slice; spreads are computed between slices', number(0.5, 600), 5)
    .option(
      '--seed <number>',
      'seed for the start positions of streams and for the network effects',
      wholeNumber,
      1,
    )
    .option('--jitter <ms>', "standard deviation of a packet's delay", amount, 0)
    .option('--stall <share>', 'share of the time that a stream is stalled', share, 0)
    .option('--stall-ms <ms>', 'mean length of a stall', amount, 1000)
    .option('--disconnect <s>', 'mean time between disconnects of a stream; 0: none', amount, 0)
    .option('--reconnect <ms>', 'time until a disconnected stream reconnects', amount, 1000)
    .option('--keep-alive <ms>', 'time between keep-alives; 0: none', amount, 0)
    .option('--odd <share>', 'share of misbehaving clients', share, 0)
    .option('--cpus <list>', 'CPUs that the server may run on, in the syntax of taskset')
    .option('--live', 'update a few lines in place on a terminal', true)
    .option('--no-live', 'print plain lines on a terminal, too')
    .addOption(
      new Option(
        '--fail-if <condition>',
        "exit 1 when a row meets it: 'p99_frame_to_vad_ms>50'; several may be given",
      )
        .argParser(addThreshold)
        .default([], 'none'),
    );

/** Codec and material of one fleet. */
export interface MixArguments {
  readonly codec: FleetCodec;
  readonly material: FleetMaterial;
}

/** Returns the options of a fleet apart from its codec and material. */
export const fleetOptionsOf = (given: LoadArguments): Omit<FleetOptions, 'codec' | 'material'> => ({
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

/** Returns those settings of the load that every suite needs. */
export const loadOf = (given: LoadArguments & MixArguments) => {
  const { codec, material, settle, slice } = given;
  return { ...fleetOptionsOf(given), codec, material, settle, slice };
};

/** Options for the search for a server's capacity. */
export interface CapacityArguments {
  readonly slo: number;
  readonly hold: number;
  readonly shortHold: number;
  readonly from: number;
  readonly most: number;
}

/**
 * Adds the options for the search for a server's capacity.
 * @param hold default of `--hold` in s: how long the server must sustain the capacity.
 */
export const withCapacityOptions = (command: Command, hold: number): Command =>
  command
    .option('--slo <ms>', 'service level: p99 from the arrival of a frame to its decision', wholeNumber, 100)
    .option('--hold <s>', 'time for which the server must sustain the capacity', wholeNumber, hold)
    .option('--short-hold <s>', 'duration of each test of the search', wholeNumber, 7)
    .option('--from <streams>', 'number of streams of the first test', wholeNumber, 100)
    .option('--most <streams>', 'largest number of streams to try', wholeNumber, 5000);

/** Prints the failures on the terminal and sets a failing exit code. */
export const failOn = (failures: readonly string[]): void => {
  for (const failure of failures) process.stderr.write(`FAILED: ${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
};

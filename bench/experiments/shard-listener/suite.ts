import { startEngine } from '../../fleet/engine-target.js';
import { fleetModel } from '../../fleet/fleet-model.js';
import type { LoadView } from '../../fleet/live-view.js';
import { type FleetOptions, openLoad, packetVersions } from '../../fleet/load.js';
import { loadFields } from '../../fleet/load-row.js';
import { measureLoad } from '../../fleet/measure.js';
import type { Target } from '../../fleet/target.js';
import type { SuiteOutcome } from '../../report/envelope.js';
import { type Contender, measureInRounds } from '../../suites/rounds.js';
import { startShardListener } from './target.js';

export interface ShardListenerOptions extends FleetOptions {
  readonly streams: readonly number[];
  /** Numbers of shards; each is measured with both designs. */
  readonly shards: readonly number[];
  readonly rounds: number;
  /** Seconds between the opening of the last stream and the beginning of the measurement. */
  readonly settle: number;
  /** Seconds that are measured. */
  readonly seconds: number;
  readonly cpus?: string;
  readonly view: LoadView;
  readonly signal: AbortSignal;
}

const suite = 'shard-listener';

/**
 * A listener on each shard's own thread against the product's one listener with a ring to each shard: the same load, in
 * turns, a new process for every measurement.
 */
export const runShardListener = async (options: ShardListenerOptions): Promise<SuiteOutcome> => {
  const { streams, shards, rounds, cpus, view, signal } = options;
  const model = await fleetModel(options.codec, options.material);
  const ring = (count: number) => (): Promise<Target> =>
    startEngine({ cpus, env: { SHARDS: String(count) }, name: 'ring' });
  const direct = (count: number) => (): Promise<Target> => startShardListener(count, cpus);
  const contenderOf = (
    start: () => Promise<Target>,
    contender: string,
    count: number,
    wanted: number,
  ): Contender => ({
    labels: {
      suite,
      contender,
      codec: options.codec,
      material: options.material,
      stt: 'discard',
      mode: `${count} shard${count === 1 ? '' : 's'}`,
      streams: wanted,
    },
    measure: async () => {
      const load = await openLoad(start, options, view, signal);
      try {
        const slices = await measureLoad(load.session, {
          ...options,
          streams: wanted,
          slice: options.seconds,
          onSlice: (slice) => view.slice(slice),
        });
        return loadFields(slices, load.baselineKb);
      } finally {
        await load.close();
      }
    },
  });
  const contenders = streams.flatMap((wanted) =>
    shards.flatMap((count) => [
      contenderOf(ring(count), 'ring', count, wanted),
      contenderOf(direct(count), 'listener on each shard', count, wanted),
    ]),
  );
  try {
    const { results, selfNoise } = await measureInRounds(contenders, rounds, { tell: view.line, signal });
    const skipped = model.skipped.map((skip) => ({ suite, ...skip }));
    return { results, selfNoise, skipped, versions: packetVersions(model) };
  } finally {
    view.end();
  }
};

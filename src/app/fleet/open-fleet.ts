import { openBus } from '../../bus/index.js';
import type { Bus } from '../../bus/subjects/index.js';
import type { FleetUsage } from '../../bus/usage/index.js';
import { type Settings, shardCount } from '../../config/index.js';
import { type CopyFeed, startCopyFeed } from '../../journal/copies/index.js';
import type { Logger } from '../../log/index.js';
import type { MetricsRow } from '../../metrics/index.js';
import { type ClosingOrder, leaveTimeout } from '../process/index.js';
import { openFleetLimits } from './fleet-limits.js';
import { followFleetStreams } from './fleet-streams.js';

/**
 * Ms between two updates of two metrics: the number of streams in this engine's directory, and the number of users and
 * addresses whose streams this engine counts for all engines.
 */
const gaugeInterval = 5000;

/** The connection of an engine to the other engines of its fleet. */
export interface Fleet {
  /** The bus; null without `NATS_URL`. */
  readonly bus: Bus | null;
  /** Limits over all engines; undefined without a bus. */
  readonly limits: FleetUsage | undefined;
  /**
   * Returns whether a shard refuses to acknowledge words at present, because these words are only on the disk of this
   * machine (`MIN_DURABILITY`).
   */
  refusesWords(): boolean;
}

/**
 * Opens the bus, if there is one, and shares streams and limits with other engines. Metrics show the state of the bus.
 */
export const openFleet = async (
  settings: Settings,
  { engineId, process }: { readonly engineId: string; readonly process: number },
  metrics: MetricsRow,
  closing: Pick<ClosingOrder<'bus'>, 'add'>,
  log: Logger,
): Promise<Fleet> => {
  const name = settings.natsName || engineId;
  const bus = await openBus(settings, { role: 'engine', name, process }, log);
  const members = bus?.members;
  if (!bus || !members) return { bus, limits: undefined, refusesWords: () => false };
  bus.onChange((connected) => metrics.set('bus_connected', Number(connected)));
  metrics.set('bus_connected', Number(bus.connected));
  members.onChange(() => metrics.set('bus_engines', members.living.length));
  const streams = followFleetStreams(engineId, members, metrics);
  const limits = openFleetLimits(settings, members, metrics);
  const copies = openCopies(settings, engineId, bus, metrics, log);
  const gauges = setInterval(() => {
    metrics.set('directory_streams', streams.kept());
    metrics.set('usage_names', limits.kept);
  }, gaugeInterval).unref();
  closing.add('bus', leaveTimeout, () => {
    clearInterval(gauges);
    streams.close();
    limits.close();
    copies?.close();
    return bus.close();
  });
  return { bus, limits, refusesWords: () => copies?.refuses ?? false };
};

/**
 * Stores the shards' copies of spilled entries on the bus (see `startCopyFeed`).
 * @returns undefined without `SPILL_KEY`.
 */
const openCopies = (
  settings: Settings,
  engineId: string,
  { copies }: Bus,
  metrics: MetricsRow,
  log: Logger,
): CopyFeed | undefined => {
  if (copies !== null) return startCopyFeed(engineId, shardCount(settings), copies, metrics);
  log.warn('SPILL_KEY is empty: while the database is away, words are only on the disk of this engine');
  return undefined;
};

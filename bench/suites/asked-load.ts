import type { LoadView } from '../fleet/live-view.js';
import { type FleetOptions, type Load, openLoad, packetVersions } from '../fleet/load.js';
import type { Target } from '../fleet/target.js';
import type { Row, SuiteOutcome } from '../report/index.js';
import { type CapacityOptions, findLoadCapacity } from './fleet.js';

/** The requested load: a number of streams, or a share of the contender's own capacity. */
export type AskedLoad = { readonly streams: number } | { readonly share: number };

/** Describes a requested load. */
export const loadWords = (asked: AskedLoad): string =>
  'streams' in asked ? String(asked.streams) : `${Math.round(asked.share * 100)}%`;

export interface AskedLoadOptions extends FleetOptions {
  readonly target: () => Promise<Target>;
  readonly asked: AskedLoad;
  /** Options of the search for the capacity. They are used only if the load is a share of the capacity. */
  readonly capacity: CapacityOptions;
  readonly view: LoadView;
  readonly signal: AbortSignal;
}

/** Results of a suite at one load. `measureAsked` adds the other fields of the outcome. */
export type Measured = Pick<SuiteOutcome, 'results' | 'series'>;

/**
 * Starts a server and measures it at the requested load. If the load is a share of the capacity, it first finds the
 * capacity and restarts the server. The row of the capacity then comes first in the results.
 * @param measure receives the open load. `measureAsked` closes it.
 */
export const measureAsked = async <Outcome extends Measured>(
  suite: string,
  options: AskedLoadOptions,
  measure: (load: Load, streams: number) => Promise<Outcome>,
): Promise<Outcome & SuiteOutcome> => {
  const { target, asked, capacity, view, signal } = options;
  const open = (): Promise<Load> => openLoad(target, options, view, signal);
  const found: Row[] = [];
  let load = await open();
  const reopen = async (): Promise<Load> => {
    await load.close();
    load = await open();
    return load;
  };
  const streamsOf = async (share: number): Promise<number> => {
    const { row, streams } = await findLoadCapacity(suite, load, options, capacity, reopen);
    found.push(row);
    await reopen();
    return Math.max(1, Math.round(streams * share));
  };
  try {
    const streams = 'share' in asked ? await streamsOf(asked.share) : asked.streams;
    const outcome = await measure(load, streams);
    return {
      ...outcome,
      results: [...found, ...outcome.results],
      selfNoise: [],
      skipped: load.model.skipped.map((skip) => ({ suite, ...skip })),
      versions: { ...load.target.versions, ...packetVersions(load.model) },
    };
  } finally {
    view.phase('stopping');
    await load.close();
    view.end();
  }
};

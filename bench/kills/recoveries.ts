import { percentile } from '../../src/app/wearable/lag.js';
import type { TokenSpeaker } from '../oracle/token-speaker.js';
import type { Fault, FaultKind } from './faults.js';

/** A wearable that lost its connection by a fault. Times in ms. */
export interface Recovery {
  readonly uid: string;
  readonly fault: Fault;
  /** Ms from the fault to the first word that was acknowledged after the connection was lost; undefined if none was. */
  readonly took: number | undefined;
}

/**
 * Returns the lost connections, each with the latest fault before it.
 * @param faults in the order of their times.
 */
export const recoveriesOf = (
  speakers: readonly Pick<TokenSpeaker, 'uid' | 'ends' | 'acknowledgements'>[],
  faults: readonly Fault[],
): Recovery[] =>
  speakers.flatMap(({ uid, ends, acknowledgements }) =>
    ends.flatMap(({ at }) => {
      const fault = faults.findLast(({ began }) => began <= at);
      if (fault === undefined) return [];
      const next = acknowledgements.find(({ arrived }) => arrived > at);
      return [{ uid, fault, took: next && next.arrived - fault.began }];
    }),
  );

/** The times of the recoveries from one kind of fault. */
export interface KindOfRecovery {
  readonly kind: FaultKind;
  readonly lost: number;
  /** Ms from the fault to the next acknowledged word. `p50` is the median, `p95` the 95th percentile. */
  readonly p50: number;
  readonly p95: number;
}

/** Returns the recoveries by kind of fault, the kinds in the order of their first fault. */
export const recoveriesByKind = (recoveries: readonly Recovery[]): KindOfRecovery[] => {
  const byKind = new Map<FaultKind, number[]>();
  for (const { fault, took } of recoveries) {
    const times = byKind.get(fault.kind) ?? [];
    byKind.set(fault.kind, times);
    if (took !== undefined) times.push(took);
  }
  return [...byKind].map(([kind, times]) => ({
    kind,
    lost: recoveries.filter(({ fault }) => fault.kind === kind).length,
    p50: Math.round(percentile(times, 50) ?? 0),
    p95: Math.round(percentile(times, 95) ?? 0),
  }));
};

import type { TokenSpeaker } from '../oracle/token-speaker.js';
import type { Fault } from './faults.js';

/** A wearable that lost its connection by a fault. Times in ms. */
export interface Recovery {
  readonly uid: string;
  readonly fault: Fault;
  /** From the fault to the first word that came back afterwards; undefined if none did. */
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

import { shuffled } from '../seeded.js';
import type { FaultKind } from './faults.js';

/** Number of faults of each kind among a hundred. Half of the killed engines lose their disk, too. */
const hundred: readonly (readonly [kind: FaultKind, count: number])[] = [
  ['kill an engine', 25],
  ['kill an engine and its disk', 25],
  ['kill a sidecar', 15],
  ['kill a transcriber', 10],
  ['kill a NATS server', 10],
  ['promote the standby', 10],
  ['reload the balancer', 5],
];

/** Returns kinds of faults in a random order, in the proportions of `hundred`. */
export const faultMix = (count: number, random: () => number): FaultKind[] => {
  const all: FaultKind[] = [];
  let before = 0;
  for (const [kind, share] of hundred) {
    const upTo = Math.round(((before + share) * count) / 100);
    all.push(...new Array<FaultKind>(upTo - Math.round((before * count) / 100)).fill(kind));
    before += share;
  }
  return shuffled(all, random);
};

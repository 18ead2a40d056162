import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * Counts of spill copies. A spill copy is a spilled entry that an engine also sends to the fleet's bus, where the
 * stream `cochlea_spill` stores it.
 */
export interface SpillCopyCounts {
  readonly waiting: number;
  readonly newer: number;
  readonly unopened: number;
  readonly deletions: number;
  readonly replayed: number;
}

/** Registers metrics about spill copies. @param counts is read whenever the metrics page is requested. */
export const createCopyMetrics = (registry: Registry, counts: SpillCopyCounts): void => {
  const registers = [registry];
  new Gauge({
    name: 'cochlea_spill_copies_waiting',
    help: 'Journals with copies of spilled entries in the stream cochlea_spill, at the last look of this sidecar.',
    registers,
    collect() {
      this.set(counts.waiting);
    },
  });
  new Gauge({
    name: 'cochlea_spill_copies_left',
    help: 'Copies that this sidecar leaves in the stream: those for a newer program, and those sealed with another SPILL_KEY.',
    labelNames: ['why'],
    registers,
    collect() {
      this.set({ why: 'newer' }, counts.newer);
      this.set({ why: 'key' }, counts.unopened);
    },
  });
  new Gauge({
    name: 'cochlea_spill_copies_deletions_waiting',
    help: 'Deletions of accounts that wait until older copies of spilled entries are gone.',
    registers,
    collect() {
      this.set(counts.deletions);
    },
  });
  new Counter({
    name: 'cochlea_spill_copies_replayed_total',
    help: 'Copies of spilled entries that this sidecar has written to the database.',
    registers,
    collect() {
      this.reset();
      this.inc(counts.replayed);
    },
  });
};

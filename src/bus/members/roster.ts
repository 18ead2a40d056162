import { fixedLimits } from '../../config/limits/index.js';
import type { Node } from './members.js';

const { value: most } = fixedLimits.busNodes;
const { value: expiry } = fixedLimits.busNodeExpiry;

/**
 * The nodes that were seen within `busNodeExpiry`. Times come from the monotonic clock of this process, so clocks of
 * other machines do not matter. When there are `busNodes` nodes, further nodes are ignored.
 */
export class Roster {
  readonly #seen = new Map<string, { readonly run: string; readonly until: number }>();

  /** @param now returns monotonic ms. */
  constructor(private readonly now: () => number) {}

  /** Notes that a node is alive. @returns whether the nodes changed. */
  seen({ id, run }: Node): boolean {
    const before = this.#seen.get(id);
    if (before === undefined && this.#seen.size >= most) return false;
    this.#seen.set(id, { run, until: this.now() + expiry });
    return before?.run !== run;
  }

  /**
   * Removes a node that has announced its end. The announcement of an earlier run does not remove a later run.
   * @returns whether the nodes changed.
   */
  left({ id, run }: Node): boolean {
    return this.#seen.get(id)?.run === run && this.#seen.delete(id);
  }

  /** Removes nodes that were not seen for too long. @returns whether the nodes changed. */
  expire(): boolean {
    const before = this.#seen.size;
    for (const [id, { until }] of this.#seen) if (until <= this.now()) this.#seen.delete(id);
    return this.#seen.size < before;
  }

  /** Returns the nodes, sorted by id. */
  nodes(): readonly Node[] {
    return [...this.#seen]
      .map(([id, { run }]) => ({ id, run }))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }
}

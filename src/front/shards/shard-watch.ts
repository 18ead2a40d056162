import { ringClock } from '../../ring/index.js';
import type { Progress, ShardChannel } from './shard-channel.js';

/** The last progress of one shard, and for how long (ms) it has not changed. */
interface Sighting {
  progress: Progress;
  silent: number;
  stuck: number;
}

/** Checks within the timeout before a shard is given up, so that one late check cannot decide. */
const looks = 10;
const bounds = { finest: 20, coarsest: 500 } as const;

/**
 * Watches the shards from the main thread. Gives up a shard whose loop does not turn for `timeout` ms, or that reads
 * nothing for as long although records wait in its ring. Reads shared memory only, so a shard cannot block it.
 *
 * Counts only time in which this thread itself checked. After a pause of the whole process (a suspended machine, a
 * stopped container), every shard looks silent at the first check although it is not.
 */
export class ShardWatch {
  readonly #period: number;
  readonly #sightings = new Map<ShardChannel, Sighting>();
  #timer: NodeJS.Timeout | undefined;
  #looked = 0;

  /** @param channels the front's list; a channel that replaces another is watched from then on. */
  constructor(
    private readonly channels: readonly ShardChannel[],
    private readonly timeout: number,
  ) {
    this.#period = Math.max(bounds.finest, Math.min(bounds.coarsest, Math.floor(timeout / looks)));
  }

  start(): void {
    this.#looked = ringClock();
    this.#timer = setInterval(() => this.look(ringClock()), this.#period);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Checks once. @param now `ringClock()`. */
  look(now: number): void {
    const elapsed = Math.min(Math.max(0, now - this.#looked), 2 * this.#period);
    this.#looked = now;
    const before = new Map(this.#sightings);
    this.#sightings.clear();
    for (const channel of this.channels) {
      if (!channel.alive) continue;
      const sighting = compare(before.get(channel), channel.progress(now), elapsed);
      if (sighting.silent >= this.timeout) channel.giveUp('its loop does not turn');
      else if (sighting.stuck >= this.timeout) channel.giveUp('it takes nothing from its ring');
      else this.#sightings.set(channel, sighting);
    }
  }
}

const compare = (before: Sighting | undefined, progress: Progress, elapsed: number): Sighting => {
  const same = before !== undefined && before.progress.beats === progress.beats;
  const held = before !== undefined && before.progress.taken === progress.taken && progress.waiting > 0;
  return {
    progress,
    silent: same ? before.silent + elapsed : 0,
    stuck: held ? before.stuck + elapsed : 0,
  };
};

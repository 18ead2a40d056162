import { ringClock } from '../../ring/index.js';
import type { Progress, ShardChannel } from './shard-channel.js';

/**
 * The progress of one shard at the last check. `silent`: ms for which its event loop has not turned. `stuck`: ms for
 * which it has read nothing although records wait in its ring.
 */
interface Sighting {
  progress: Progress;
  silent: number;
  stuck: number;
}

/** Minimum number of checks within the timeout before a shard is given up, so that one late check is not enough. */
const looks = 10;
const bounds = { finest: 20, coarsest: 500 } as const;

/**
 * Watches the shards from the main thread. Gives up a shard whose event loop does not turn for `timeout` ms. Also gives
 * up a shard that reads nothing for `timeout` ms although records wait in its ring. Reads only shared memory, so a
 * hanging shard cannot block the watch.
 *
 * Counts only time in which this thread itself ran. The entire process may pause, for example on a suspended machine or
 * in a stopped container. If the pause counted, every shard would look silent at the first check after it.
 */
export class ShardWatch {
  readonly #period: number;
  readonly #sightings = new Map<ShardChannel, Sighting>();
  #timer: NodeJS.Timeout | undefined;
  #looked = 0;

  /**
   * @param channels the front's list of channels, which may change. A new channel is watched from the next check on.
   */
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

  /**
   * Checks all shards once.
   * @param now `ringClock()`.
   */
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

import { ringClock } from '../../ring/index.js';
import type { Progress, ShardChannel } from './shard-channel.js';

/** What was seen of one shard, and for how long (ms) it has not changed. */
interface Sighting {
  progress: Progress;
  silent: number;
  stuck: number;
}

/** Looks at a shard this many times before it is given up, so that one late look cannot decide. */
const looks = 10;
const bounds = { finest: 20, coarsest: 500 } as const;

/**
 * Watches the shards from the main thread: one whose loop does not turn, or that takes nothing from its ring although
 * records wait there, for `timeout` ms is given up. It reads shared memory only, so a shard cannot hold it up.
 *
 * Only time during which this thread itself looked is counted. When the whole process stood still (a suspended machine, a
 * stopped container) every shard looks silent at the first look afterwards, and none of them is.
 */
export class ShardWatch {
  readonly #channels: readonly ShardChannel[];
  readonly #timeout: number;
  readonly #period: number;
  readonly #sightings = new Map<ShardChannel, Sighting>();
  #timer: NodeJS.Timeout | undefined;
  #looked = 0;

  /** @param channels the front's list; a channel that takes another's place is watched from then on. */
  constructor(channels: readonly ShardChannel[], timeout: number) {
    this.#channels = channels;
    this.#timeout = timeout;
    this.#period = Math.max(bounds.finest, Math.min(bounds.coarsest, Math.floor(timeout / looks)));
  }

  start(): void {
    this.#looked = ringClock();
    this.#timer = setInterval(() => this.look(ringClock()), this.#period);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Looks once. @param now `ringClock()`. */
  look(now: number): void {
    const elapsed = Math.min(Math.max(0, now - this.#looked), 2 * this.#period);
    this.#looked = now;
    const before = new Map(this.#sightings);
    this.#sightings.clear();
    for (const channel of this.#channels) {
      if (!channel.alive) continue;
      const sighting = compare(before.get(channel), channel.progress(now), elapsed);
      if (sighting.silent >= this.#timeout) channel.giveUp('its loop does not turn');
      else if (sighting.stuck >= this.#timeout) channel.giveUp('it takes nothing from its ring');
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

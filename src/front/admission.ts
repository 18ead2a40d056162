import type { Settings } from '../config/settings.js';
import { CochleaError } from '../errors/index.js';
import { chooseShard } from './choose-shard.js';
import type { ShardChannel } from './shard-channel.js';

/** Room for one stream: a slot on the shard where its conversation lives. */
export interface Reservation {
  readonly channel: ShardChannel;
  readonly slot: number;
}

/** Decides whether another stream is taken, and counts those of each user. */
export class Admission {
  draining = false;
  /** Sockets open, those still authenticating included. */
  open = 0;
  readonly #settings: Settings;
  readonly #channels: readonly ShardChannel[];
  readonly #lag: () => number;
  readonly #streams = new Map<string, number>();

  /** @param lag ms by which the worst shard or the transcriber is behind. */
  constructor(settings: Settings, channels: readonly ShardChannel[], lag: () => number) {
    this.#settings = settings;
    this.#channels = channels;
    this.#lag = lag;
  }

  /** Why no stream at all is taken now, or null. */
  refusal(): CochleaError | null {
    if (this.draining) return new CochleaError('draining');
    const { maxStreams, lagBudget } = this.#settings;
    if (this.open >= maxStreams || this.#lag() > lagBudget) return new CochleaError('overloaded');
    return null;
  }

  /**
   * Takes a slot and counts the stream; `release` undoes the count.
   * @throws CochleaError too_many_streams, or overloaded when the shard is full or none is alive.
   */
  reserve(uid: string, source: string, deviceId: string | null): Reservation {
    const streams = this.#streams.get(uid) ?? 0;
    if (streams >= this.#settings.maxStreamsPerUser) throw new CochleaError('too_many_streams');
    const channel = chooseShard(this.#channels, uid, source, deviceId);
    const slot = channel?.reserve() ?? -1;
    if (channel === undefined || slot < 0) throw new CochleaError('overloaded');
    this.#streams.set(uid, streams + 1);
    return { channel, slot };
  }

  /** A stream of this user is gone. */
  release(uid: string): void {
    const streams = this.#streams.get(uid) ?? 0;
    if (streams > 1) this.#streams.set(uid, streams - 1);
    else this.#streams.delete(uid);
  }
}

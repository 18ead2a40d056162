import type { ShardChannel } from './shard-channel.js';

/**
 * Returns the 32-bit FNV-1a hash over UTF-16 code units. It is equal in every process, so a text always selects the
 * same shard.
 */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
};

/**
 * Returns the shard for all streams with this user, source and device. If the shard is lost, all these streams go to
 * one other shard. Streams of the other shards keep their shard.
 * @param channels one channel per shard, including lost shards, ordered by shard number.
 * @returns undefined when no shard is alive.
 */
export const chooseShard = (
  channels: readonly ShardChannel[],
  uid: string,
  source: string,
  deviceId: string | null,
): ShardChannel | undefined => {
  const value = hash(`${uid}\0${source}\0${deviceId ?? ''}`);
  const own = channels[value % channels.length];
  if (own?.alive) return own;
  const live = channels.filter(({ alive }) => alive);
  return live[Math.floor(value / channels.length) % live.length];
};

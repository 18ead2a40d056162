import type { ShardChannel } from './shard-channel.js';

/** 32-bit FNV-1a over UTF-16 code units: the same input gives the same shard in every process. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
};

/**
 * The shard for all streams of one user, source and device. If it is lost, they share one of the others; the streams of
 * all other users stay on their shards.
 * @param channels one for each shard, including lost ones, ordered by shard number.
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

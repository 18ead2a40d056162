/**
 * Handles of streams in the core of a shard. Each track of a session has one stream. The streams of all first tracks have the
 * lowest handles, in the order of their slots; the streams of the second tracks follow.
 */

/** The slot and track that a handle stands for. */
export interface StreamPlace {
  readonly slot: number;
  readonly track: number;
}

/**
 * @param slots number of slots of the shard.
 * @returns the handle of a track's stream.
 */
export const handleOf = ({ slot, track }: StreamPlace, slots: number): number => slot + track * slots;

/** @returns the slot of a handle. @param slots number of slots of the shard. */
export const slotOf = (handle: number, slots: number): number => handle % slots;

/** @returns the track number of a handle. @param slots number of slots of the shard. */
export const trackNumberOf = (handle: number, slots: number): number => Math.floor(handle / slots);

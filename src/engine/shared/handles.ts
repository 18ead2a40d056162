/**
 * Handles of streams in the core of a shard. Each track of a session has one stream. The first track of each slot
 * has the slot's number as its handle. The second tracks follow, in the order of their slots.
 */

/** Slot and track of a stream in the core. */
export interface StreamPlace {
  readonly slot: number;
  readonly track: number;
}

/**
 * Returns the handle of a track's stream.
 * @param slots number of slots of the shard.
 */
export const handleOf = ({ slot, track }: StreamPlace, slots: number): number => slot + track * slots;

/** Returns the slot of a handle. @param slots number of slots of the shard. */
export const slotOf = (handle: number, slots: number): number => handle % slots;

/** Returns the track number of a handle. @param slots number of slots of the shard. */
export const trackNumberOf = (handle: number, slots: number): number => Math.floor(handle / slots);

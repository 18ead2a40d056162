/**
 * Handles of tracks in the core of a shard. The first track of each slot has the slot's number as its handle. The
 * second tracks follow, in the order of their slots.
 */

/** Slot of a track, and the number of the track in its session. */
export interface StreamPlace {
  readonly slot: number;
  readonly track: number;
}

/**
 * Returns the handle of a track.
 * @param slots number of slots of the shard.
 */
export const handleOf = ({ slot, track }: StreamPlace, slots: number): number => slot + track * slots;

/** Returns the slot of a handle. @param slots number of slots of the shard. */
export const slotOf = (handle: number, slots: number): number => handle % slots;

/** Returns the track number of a handle. @param slots number of slots of the shard. */
export const trackNumberOf = (handle: number, slots: number): number => Math.floor(handle / slots);

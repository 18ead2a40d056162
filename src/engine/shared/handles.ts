/**
 * Handles of streams in the core of a shard. A slot has one stream for each track of its session: those of the first tracks
 * come first, in the order of their slots, then those of the second tracks.
 */

/** Where a handle points. */
export interface StreamPlace {
  readonly slot: number;
  readonly track: number;
}

/**
 * @param slots of the shard.
 * @returns the handle of a track's stream.
 */
export const handleOf = ({ slot, track }: StreamPlace, slots: number): number => slot + track * slots;

/** @returns the slot whose stream a handle names. @param slots of the shard. */
export const slotOf = (handle: number, slots: number): number => handle % slots;

/** @returns the track whose stream a handle names. @param slots of the shard. */
export const trackNumberOf = (handle: number, slots: number): number => Math.floor(handle / slots);

/** A recording of a device without a clock. */
export interface Unclocked {
  readonly file: string;
  readonly digest: Uint8Array;
  /** Device time in ms. Orders the recordings of one device. It is not a wall clock. */
  readonly startedAt: number;
  /** Length of the audio in ms. */
  readonly duration: number;
}

/**
 * Maximum ms by which assigned times may be later than the upload. They are later if another upload came shortly
 * before.
 */
const mostAhead = 86_400_000;

/**
 * Assigns times to recordings without a clock. The recordings follow each other in the order of the device's counter.
 * Usually the times are chosen so that the last recording ends at the upload. If the first one would then begin before
 * `earlierEnd`, its words would mix with words of earlier recordings. So the first one begins at `earlierEnd` instead,
 * and the last one ends after the upload, by at most a day. If the last one would end even later, the usual times are
 * used nevertheless. If a file occurs several times, its duration counts once.
 * @param now wall clock (ms) of the upload.
 * @param earlierEnd wall clock (ms) at the end of the earlier recordings without a clock; null if there are none.
 * @returns start (wall clock, ms) of each file by id.
 */
export const placeUnclocked = (
  recordings: readonly Unclocked[],
  now: number,
  earlierEnd: number | null,
): ReadonlyMap<string, number> => {
  const sorted = recordings.toSorted((one, other) => one.startedAt - other.startedAt);
  const seen = new Map<string, number>();
  let length = 0;
  for (const { digest, duration } of sorted) {
    const key = Buffer.from(digest).toString('hex');
    if (seen.has(key)) continue;
    seen.set(key, length);
    length += Math.ceil(duration);
  }
  const usual = now - length;
  const follows = Math.max(usual, Math.ceil(earlierEnd ?? usual));
  const begin = follows + length <= now + mostAhead ? follows : usual;
  return new Map(
    sorted.map(({ digest, file }) => [file, begin + seen.get(Buffer.from(digest).toString('hex'))!]),
  );
};

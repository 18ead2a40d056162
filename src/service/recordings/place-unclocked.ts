/** A recording of a device without a clock. */
export interface Unclocked {
  readonly file: string;
  readonly digest: Uint8Array;
  /** Orders the recordings of one device; not a wall clock. Ms. */
  readonly startedAt: number;
  /** Ms. */
  readonly duration: number;
}

/** Ms that recordings may lie ahead of their upload, where they follow on others that were uploaded just before. */
const mostAhead = 86_400_000;

/**
 * Gives recordings without a clock their times: one after the other, in the order of the device's own counter, the last one ends at the upload.
 * Those of an upload that follows closely begin where the earlier ones end, so that words of two recordings do not mix; they may end up to a day
 * ahead of the upload then. A file that comes twice counts once. A pure function.
 * @param now wall clock (ms) of the upload.
 * @param earlierEnd wall clock (ms) of the end of the recordings without a clock that were uploaded before; null: there are none.
 * @returns the wall clock (ms) of the start of each file, by its id.
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

import { fetchValues } from '../fleet/targets/server-page.js';

/** The effect of image streams on a server, measured by the server's own metrics. */
export interface ImageLoad {
  /** Highest number of image bytes in the memory of the shards, among all readings. */
  readonly mostHeld: number;
  /** Number of images that the server stored between the first and the last reading. */
  readonly stored: number;
  /** Number of images that the server refused between the first and the last reading. */
  readonly refused: number;
  /** Resident memory of the server's process in bytes, at the first reading. */
  readonly rssBefore: number;
  /** Highest resident memory of the server's process in bytes, among all readings. */
  readonly mostRss: number;
}

const names = [
  'images_held_bytes',
  'images_stored_total',
  'images_refused_total',
  'process_resident_memory_bytes',
] as const;

/** Ms between two readings. */
const pause = 1000;

/**
 * Reads a server's metrics every second.
 * @param url of the server's metrics page.
 * @returns a function that stops reading and returns the results. It throws an Error when the page is unreadable at the
 * end.
 * @throws Error when the page is unreadable at the beginning.
 */
export const watchImages = async (url: string): Promise<() => Promise<ImageLoad>> => {
  const before = await fetchValues(url, names);
  let [mostHeld, mostRss] = [0, before.process_resident_memory_bytes];
  const look = async (): Promise<typeof before> => {
    const values = await fetchValues(url, names);
    mostHeld = Math.max(mostHeld, values.images_held_bytes);
    mostRss = Math.max(mostRss, values.process_resident_memory_bytes);
    return values;
  };
  // A single reading may fail, because the server is busy.
  const timer = setInterval(() => void look().catch(() => undefined), pause);
  return async () => {
    clearInterval(timer);
    const after = await look();
    return {
      mostHeld,
      stored: after.images_stored_total - before.images_stored_total,
      refused: after.images_refused_total - before.images_refused_total,
      rssBefore: before.process_resident_memory_bytes,
      mostRss,
    };
  };
};

const mebibytes = (bytes: number): string => (bytes / 1_048_576).toFixed(1);

/** Describes the image load in words. */
export const imageWords = ({ mostHeld, stored, refused, rssBefore, mostRss }: ImageLoad): string =>
  `images: ${stored} stored, ${refused} refused; at most ${mebibytes(mostHeld)} MiB of them in memory; ` +
  `the engine had ${mebibytes(rssBefore)} MiB before and at most ${mebibytes(mostRss)}`;

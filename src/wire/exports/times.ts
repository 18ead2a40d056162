const two = (value: number): string => String(value).padStart(2, '0');

/**
 * Converts a time in seconds to whole ms. Returns 0 for a negative time and for a value that is not a finite number.
 */
export const millisecondsOf = (seconds: number): number =>
  Number.isFinite(seconds) ? Math.max(0, Math.round(seconds * 1000)) : 0;

/** Returns a time in ms as `01:02:03`. */
export const clockOf = (time: number): string => {
  const seconds = Math.floor(time / 1000);
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => two(Math.floor(part))).join(':');
};

/** Returns a time in ms as `01:02:03.004`. @param mark character between seconds and ms */
export const exactClockOf = (time: number, mark: '.' | ','): string =>
  `${clockOf(time)}${mark}${String(time % 1000).padStart(3, '0')}`;

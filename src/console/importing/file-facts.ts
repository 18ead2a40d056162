const two = (value: number): string => String(value).padStart(2, '0');

/** Returns a moment as the value of a field for local dates and times. @param time ms since 1970 */
export const localTime = (time: number): string => {
  const at = new Date(time);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
};

/** Returns a number of bytes in words. */
export const sizeIn = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

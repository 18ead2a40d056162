/** Supported releases of Node. Only `engines` in package.json lists them. */
import { readFileSync } from 'node:fs';

const manifest = new URL('../../../package.json', import.meta.url);

/** Returns the range in package.json: release lines such as `^20.19.0`, separated by `||`. */
const acceptedRange = () => JSON.parse(readFileSync(manifest, 'utf8')).engines.node;

/** Returns the first release of each line, as `[major, minor, patch]`. */
const firstReleases = (range) =>
  range.split('||').map((line) => {
    const numbers = /^\^(\d+)\.(\d+)\.(\d+)$/.exec(line.trim());
    if (!numbers)
      throw new Error(`engines.node of package.json has "${line.trim()}", not "^MAJOR.MINOR.PATCH"`);
    return numbers.slice(1).map(Number);
  });

/**
 * Checks whether the product runs on a release of Node. Pre-releases (`-rc.1`) are not accepted.
 * @param version in the format of `process.version`
 */
export const nodeSupported = (version, range = acceptedRange()) => {
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);
  if (!numbers) return false;
  const [major, minor, patch] = numbers;
  return firstReleases(range).some(
    ([line, least, leastPatch]) =>
      major === line && (minor > least || (minor === least && patch >= leastPatch)),
  );
};

/** Returns a text for a message: "Node 20.19, 22.12 or 24.0, or a later release of the same line". */
export const acceptedNode = (range = acceptedRange()) => {
  const lines = firstReleases(range).map(([major, minor]) => `${major}.${minor}`);
  return `Node ${lines.slice(0, -1).join(', ')} or ${lines.at(-1)}, or a later release of the same line`;
};

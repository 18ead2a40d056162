/**
 * The path by which the sidecar chooses a route: without a fragment (`#`), and with percent-encoding decoded except for
 * delimiters. Otherwise another spelling of a path would get the quota and limits of other requests.
 * @param path as received, without its query.
 * @returns the path itself if it cannot be decoded; the sidecar refuses it.
 */
export const routedPath = (path: string): string => {
  const hash = path.indexOf('#', 1);
  const plain = hash < 0 ? path : path.slice(0, hash);
  if (!plain.includes('%')) return plain;
  try {
    return decodeURI(plain);
  } catch {
    return plain;
  }
};

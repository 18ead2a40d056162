/**
 * The path by which the sidecar chooses a route: without what stands behind a `#`, and with what was percent-encoded and is no delimiter
 * decoded. Another spelling of a path would else get the places and bounds of other requests.
 * @param path as it was received, without its query.
 * @returns the path itself where it cannot be decoded; the sidecar refuses it.
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

/**
 * Returns the path by which the sidecar chooses a route. Removes a fragment (`#`) and decodes percent-encoding except
 * for delimiters. Otherwise a client could spell a path differently to get the quota and limits of other requests.
 * @param path as received, without its query.
 * @returns the given path if it cannot be decoded. The sidecar then refuses the request.
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

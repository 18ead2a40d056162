/**
 * An answer that is a file with its own media type. Parts are read while the client receives the file, one part ahead.
 * A browser saves the file instead of showing it.
 */
export class FileInParts {
  constructor(
    /** Media type, as the route declares it. */
    readonly type: string,
    /** The header `Content-Disposition`. */
    readonly disposition: string,
    readonly parts: AsyncIterable<Buffer>,
  ) {}
}

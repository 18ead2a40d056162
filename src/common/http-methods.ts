/** HTTP methods that the service accepts. It refuses all others. */
export const servedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Value of the `Allow` header in the answer to `OPTIONS *`, and in refusals that do not depend on a path. */
export const allowedMethods = servedMethods.join(', ');

/** An error of the `node:http` parser, with the last bytes it received. */
export type ParseError = Error & {
  readonly code?: string;
  /** The parser's description of the error. */
  readonly reason?: string;
  readonly rawPacket?: Uint8Array;
  readonly bytesParsed?: number;
};

const tokenCharacters = /^[A-Za-z0-9!#$%&'*+.^_`|~-]*/;

/**
 * Checks whether the parser stopped in an unknown method rather than in malformed bytes. The parser stops at the first
 * character that no known method has at that position, perhaps before the rest of the name arrives.
 */
export const isUnknownMethod = ({ code, rawPacket, bytesParsed = 0 }: ParseError): boolean => {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return false;
  const text = Buffer.from(rawPacket).toString('latin1');
  const line = text.slice(text.lastIndexOf('\n', Math.max(0, bytesParsed - 1)) + 1, bytesParsed + 256);
  const method = tokenCharacters.exec(line)![0];
  return line === method || (method !== '' && line[method.length] === ' ');
};

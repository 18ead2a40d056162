/** Methods that the service takes; every other one is refused. */
export const servedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Value of the `Allow` header of a refusal that concerns no path, and of the answer to `OPTIONS *`. */
export const allowedMethods = servedMethods.join(', ');

/** An error of the parser of `node:http`, with the bytes that it was given last. */
export type ParseError = Error & {
  readonly code?: string;
  /** In words of the parser. */
  readonly reason?: string;
  readonly rawPacket?: Uint8Array;
  readonly bytesParsed?: number;
};

const tokenCharacters = /^[A-Za-z0-9!#$%&'*+.^_`|~-]*/;

/**
 * Whether the parser stopped in a method that it does not know, and not in bytes that are no request. It stops at the first
 * character that no method of its own has there, so that the rest of the name may not have arrived.
 */
export const isUnknownMethod = ({ code, rawPacket, bytesParsed = 0 }: ParseError): boolean => {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return false;
  const text = Buffer.from(rawPacket).toString('latin1');
  const line = text.slice(text.lastIndexOf('\n', Math.max(0, bytesParsed - 1)) + 1, bytesParsed + 256);
  const method = tokenCharacters.exec(line)![0];
  return line === method || (method !== '' && line[method.length] === ' ');
};

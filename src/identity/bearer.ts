/**
 * Returns the token of an `Authorization: Bearer TOKEN` header. The case of the scheme does not matter (RFC 9110,
 * 11.1).
 * @returns null if the header is missing, has another scheme, or does not have exactly one token.
 */
export const bearerToken = (authorization: string | undefined): string | null =>
  /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? null;

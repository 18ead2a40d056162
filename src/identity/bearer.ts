/**
 * The token of an `Authorization: Bearer TOKEN` header, whatever the case of the scheme (RFC 9110, 11.1).
 * @returns null for a header that is missing, has another scheme, or does not have exactly one token.
 */
export const bearerToken = (authorization: string | undefined): string | null =>
  /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? null;

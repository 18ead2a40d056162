import { isLoopback } from '../config/index.js';

const longestAddress = 2000;

const readAddress = (given: unknown): URL | null =>
  typeof given === 'string' && given.length <= longestAddress && URL.canParse(given) ? new URL(given) : null;

/** Addresses in an issuer's metadata that `isSafeEnd` compares. */
export interface IssuerAddresses {
  readonly issuer: string;
  readonly authorization_endpoint?: unknown;
  readonly end_session_endpoint?: unknown;
}

/**
 * Checks whether browsers may be redirected to the address at which an issuer ends a session (`end_session_endpoint`).
 * The address must use https or be on this machine. Its origin must be that of the issuer, or that of the address where
 * people sign in. So a sign-out redirects only to an origin to which a sign-in also redirects.
 */
export const isSafeEnd = ({
  issuer,
  authorization_endpoint: begin,
  end_session_endpoint: end,
}: IssuerAddresses): boolean => {
  const address = readAddress(end);
  if (address === null || address.username !== '' || address.password !== '') return false;
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLoopback(address.hostname)))
    return false;
  return [issuer, begin].some((known) => readAddress(known)?.origin === address.origin);
};

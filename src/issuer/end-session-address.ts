import { isLoopback } from '../config/index.js';

const longestAddress = 2000;

const readAddress = (given: unknown): URL | null =>
  typeof given === 'string' && given.length <= longestAddress && URL.canParse(given) ? new URL(given) : null;

/** The addresses of an issuer's metadata that decide where a browser may be led for a sign-out. */
export interface IssuerAddresses {
  readonly issuer: string;
  readonly authorization_endpoint?: unknown;
  readonly end_session_endpoint?: unknown;
}

/**
 * Whether browsers may be led to the address where an issuer ends a sign-in. The address must have https, or be on this
 * machine. Its origin must be that of the issuer, or of the address where people sign in. So a sign-out leads only to
 * an origin to which a sign-in leads, too.
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

import { publicAddress, type Settings } from '../config/index.js';

/** Whether people sign in at an issuer of the operator's own; the built-in one is not served then. */
export const hasExternalIssuer = (settings: Pick<Settings, 'idTokenIssuer' | 'idTokenJwks'>): boolean =>
  settings.idTokenIssuer !== '' || settings.idTokenJwks !== '';

/**
 * The issuer at which assistants ask for access.
 * @returns null where the operator's own issuer has a name that is no web address: assistants have keys only then.
 */
export const authorizationServer = (settings: Settings): string | null => {
  if (!hasExternalIssuer(settings)) return publicAddress(settings);
  const { idTokenIssuer: issuer } = settings;
  return /^https?:\/\//.test(issuer) && URL.canParse(issuer) ? issuer : null;
};

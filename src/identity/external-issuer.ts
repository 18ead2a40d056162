import { publicAddress, type Settings } from '../config/index.js';

/**
 * Checks whether people sign in at the operator's own issuer. If so, the service does not offer sign-in at the built-in
 * issuer.
 */
export const hasExternalIssuer = (settings: Pick<Settings, 'idTokenIssuer' | 'idTokenJwks'>): boolean =>
  settings.idTokenIssuer !== '' || settings.idTokenJwks !== '';

/**
 * Returns the address of the issuer where assistants request access.
 * @returns null if the name of the operator's own issuer is not a web address. In this case, assistants can only use
 *   keys.
 */
export const authorizationServer = (settings: Settings): string | null => {
  if (!hasExternalIssuer(settings)) return publicAddress(settings);
  const { idTokenIssuer: issuer } = settings;
  return /^https?:\/\//.test(issuer) && URL.canParse(issuer) ? issuer : null;
};

/** Checks whether the console uses the operator's own issuer for sign-in. */
export const hasConsoleClient = (settings: Settings): boolean =>
  hasExternalIssuer(settings) && settings.consoleClientId !== '';

import { publicAddress, type Settings } from '../config/index.js';

/** Checks whether people sign in at the operator's own issuer. The built-in issuer is then not served. */
export const hasExternalIssuer = (settings: Pick<Settings, 'idTokenIssuer' | 'idTokenJwks'>): boolean =>
  settings.idTokenIssuer !== '' || settings.idTokenJwks !== '';

/**
 * Returns the address of the issuer where assistants request access.
 * @returns null if the operator's own issuer has a name that is not a web address. Assistants can then use only keys.
 */
export const authorizationServer = (settings: Settings): string | null => {
  if (!hasExternalIssuer(settings)) return publicAddress(settings);
  const { idTokenIssuer: issuer } = settings;
  return /^https?:\/\//.test(issuer) && URL.canParse(issuer) ? issuer : null;
};

/** Checks whether people sign in at the console with the operator's own issuer. */
export const hasConsoleClient = (settings: Settings): boolean =>
  hasExternalIssuer(settings) && settings.consoleClientId !== '';

import type { SettingName, Settings } from './settings.js';

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

/** Checks whether a listener at this address is reachable from this machine only. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/**
 * Returns the scheme of the listener itself. If a proxy in front of the listener uses a different scheme, PUBLIC_URL
 * contains that scheme.
 */
export const schemeOf = (settings: Pick<Settings, 'tlsCert'>): 'http' | 'https' =>
  settings.tlsCert === '' ? 'http' : 'https';

/** A refused setting and the reason. */
export interface Refusal {
  readonly name: SettingName;
  readonly why: string;
}

/**
 * Returns the setting of a listen address that would expose traffic; undefined if there is none. Tokens, keys and
 * speech must not cross a network in plain text. The operator can declare in a setting that a proxy encrypts this
 * traffic or that the network is private.
 */
export const exposureOf = (values: Settings): Refusal | undefined => {
  const { host, sidecarHost, metricsHost, tlsCert, tlsKey } = values;
  if (tlsCert === '' && tlsKey !== '') return { name: 'tlsCert', why: 'TLS_KEY is set, and needs it' };
  if (tlsCert !== '' && tlsKey === '') return { name: 'tlsKey', why: 'TLS_CERT is set, and needs it' };
  if (values.authMode === 'uid' && !isLoopback(host)) {
    return { name: 'authMode', why: `uid needs a loopback HOST, not ${host}` };
  }
  if (!isLoopback(host) && tlsCert === '' && !values.tlsProxy) {
    const how = 'set TLS_CERT and TLS_KEY, or TLS_PROXY=true if a proxy in front of it terminates TLS';
    return {
      name: 'host',
      why: `${host} is beyond loopback, and tokens would cross it in plain text; ${how}`,
    };
  }
  const plain: readonly (readonly [SettingName, string])[] = [
    ['sidecarHost', sidecarHost],
    ['metricsHost', metricsHost],
  ];
  for (const [name, address] of plain) {
    if (isLoopback(address) || values.privateNetwork) continue;
    const how = 'set PRIVATE_NETWORK=true if strangers reach neither that address nor its network';
    return { name, why: `${address} is beyond loopback and speaks plain HTTP; ${how}` };
  }
  return undefined;
};

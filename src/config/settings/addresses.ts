import { flag, integer, list, type Setting, setting, text } from './setting.js';

/** Settings of listen addresses, TLS and trusted proxies. */
export const addressesSettings = {
  host: setting(
    'HOST',
    text('127.0.0.1'),
    'Address on which the engine listens; beyond loopback it needs TLS_CERT and TLS_KEY, or TLS_PROXY.',
  ),
  port: setting(
    'PORT',
    integer(8787, 0, 65535),
    'Port of the engine. It serves WebSockets and passes other requests through to the sidecar.',
  ),
  sidecarHost: setting(
    'SIDECAR_HOST',
    text('127.0.0.1'),
    'Address on which the sidecar listens, in plain HTTP; beyond loopback it needs PRIVATE_NETWORK.',
  ),
  sidecarPort: setting('SIDECAR_PORT', integer(8788, 0, 65535), 'Port of the sidecar.'),
  metricsHost: setting(
    'METRICS_HOST',
    text('127.0.0.1'),
    'Address of the Prometheus page; beyond loopback it needs PRIVATE_NETWORK.',
  ),
  metricsPort: setting('METRICS_PORT', integer(8789, 0, 65535), 'Port of the Prometheus page.'),
  sidecarMetricsPort: setting(
    'SIDECAR_METRICS_PORT',
    integer(0, 0, 65535),
    'Port of the Prometheus page of the sidecar, at METRICS_HOST; it shows jobs and voice messages. 0: no page.',
  ),
  publicUrl: setting('PUBLIC_URL', text(''), 'Base address for clients; empty: derived from HOST and PORT.'),

  tlsCert: setting(
    'TLS_CERT',
    text(''),
    'File with the certificate chain (PEM) of the listener. With TLS_CERT and TLS_KEY the listener accepts only TLS.',
  ),
  tlsKey: setting(
    'TLS_KEY',
    text(''),
    'File with the private key (PEM); readable by its owner or group only.',
  ),
  tlsProxy: setting(
    'TLS_PROXY',
    flag,
    'true: a proxy in front of HOST terminates TLS, so the listener may use plain HTTP beyond loopback.',
  ),
  privateNetwork: setting(
    'PRIVATE_NETWORK',
    flag,
    'true: strangers cannot reach SIDECAR_HOST and METRICS_HOST, so these two may use plain HTTP beyond loopback.',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    list('loopback'),
    'Proxies whose header X-Forwarded-For is trusted: loopback, none, addresses, or networks (10.0.0.0/8). A connection from a trusted proxy without that header is exempt from limits by address. The setting has no effect with AUTH_MODE=uid.',
  ),
} as const satisfies Record<string, Setting>;

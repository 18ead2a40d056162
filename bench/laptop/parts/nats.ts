/** The three NATS servers of the bus, as docs/operations.md configures them. */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { addressFor, type Link, type Part } from '../state.js';

/** Certificate that all servers use. It contains their addresses. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface NatsOptions {
  readonly part: Part;
  readonly parts: readonly Part[];
  readonly links: readonly Link[];
  /** Path of the accounts that `cochlea bus accounts` has printed, in the folder of the configuration. */
  readonly accounts: string;
  /** Certificate of the servers. Absent on loopback. */
  readonly tls?: Certificate | undefined;
}

/** Writes the configuration of one server. */
export const writeNatsConfiguration = (
  file: string,
  { part, parts, links, accounts, tls }: NatsOptions,
): void => {
  const others = parts.filter(({ role, name }) => role === 'nats' && name !== part.name);
  const routes = others.map(({ name }) => `"nats://${addressFor(links, part.name, name, 'second')}"`);
  const files = tls && `cert_file: "${tls.cert}", key_file: "${tls.key}"`;
  const { host, ports } = part;
  writeFileSync(
    file,
    [
      `server_name: ${part.name}`,
      `listen: ${host}:${ports.main}`,
      `http: ${host}:${ports.monitor}`,
      `jetstream { store_dir: "${part.folder}/jetstream", sync_interval: always }`,
      ...(files ? [`tls { ${files} }`] : []),
      `cluster {`,
      `  name: cochlea, listen: ${host}:${ports.second}`,
      // Stops servers from announcing their own addresses. Connections to those addresses would bypass the relays.
      `  no_advertise: true, advertise: "127.0.0.1:1"`,
      `  routes: [${routes.join(', ')}]`,
      ...(files ? [`  tls { ${files}, ca_file: "${tls.cert}", verify: true }`] : []),
      `}`,
      `include ${basename(accounts)}`,
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
};

/** Whether a server answers, and its JetStream is usable. */
export const isNatsReady = ({ host, ports }: Part): Promise<boolean> =>
  fetch(`http://${host}:${ports.monitor}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Returns the name of the leader of JetStream as a server knows it; undefined without one. */
export const natsLeader = async ({ host, ports }: Part): Promise<string | undefined> => {
  try {
    const answer = await fetch(`http://${host}:${ports.monitor}/jsz`, { signal: AbortSignal.timeout(2000) });
    const { meta_cluster: meta } = (await answer.json()) as { meta_cluster?: { leader?: string } };
    return meta?.leader || undefined;
  } catch {
    return undefined;
  }
};

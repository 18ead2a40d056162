/** Real NATS servers for tests, on loopback. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { makeSeed, publicKeyOf } from '../../../src/bus/nats/keys.js';
import type { BusUser } from '../../../src/bus/subjects/index.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import type { Settings } from '../../../src/config/settings.js';
import { openFolder } from '../folder.js';
import { until } from '../until.js';
import { findNats } from './find-nats.js';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

/**
 * Makes a self-signed certificate of localhost in a folder. If a server's URL has an IP address, the NATS library still
 * checks the certificate for the name `localhost`. Servers of a cluster check it for the address.
 * @returns the paths of certificate and key.
 */
export const makeCertificate = (folder: string): { cert: string; key: string } => {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = [
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-days',
    '2',
  ];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-out', cert, '-keyout', key], { stdio: 'ignore' });
  return { cert, key };
};

export interface NatsServer {
  readonly port: number;
  readonly monitor: string;
  /** Folder of the files of JetStream. */
  readonly folder: string;
  /** Address of the server, with tls:// if it has a certificate. */
  readonly url: string;
  /** Pauses the server's process, as if its machine hung. */
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Starts the server again on the same port, with the same configuration. */
  start(): Promise<void>;
}

export interface NatsOptions {
  /** Configuration lines besides those of the port and the monitoring page. */
  readonly lines?: readonly string[];
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly sync?: boolean;
}

/** Starts a server with JetStream. It ends with the test. */
export const startNats = async (t: Teardown, options: NatsOptions = {}): Promise<NatsServer> => {
  const found = findNats();
  if ('missing' in found) throw new Error(found.missing);
  const folder = openFolder(t);
  const [port, monitorPort] = [await freePort(), await freePort()];
  const file = join(folder, 'nats.conf');
  const { tls, lines = [], sync = true } = options;
  writeFileSync(
    file,
    [
      `listen: 127.0.0.1:${port}`,
      `http: 127.0.0.1:${monitorPort}`,
      `jetstream { store_dir: "${folder}", ${sync ? 'sync_interval: always' : 'sync_interval: 2m'} }`,
      ...(tls ? [`tls { cert_file: "${tls.cert}", key_file: "${tls.key}" }`] : []),
      ...lines,
    ].join('\n'),
  );
  const monitor = `http://127.0.0.1:${monitorPort}`;
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(found.program, ['-c', file, '-l', join(folder, 'log')], { stdio: 'ignore' });
    await until(() =>
      fetch(`${monitor}/healthz`)
        .then(({ ok }) => ok)
        .catch(() => false),
    );
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await ended;
  };
  t.teardown(kill);
  await start();
  return {
    port,
    monitor,
    folder,
    url: `${tls ? 'tls' : 'nats'}://127.0.0.1:${port}`,
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    kill,
    start,
  };
};

/** Starts a cluster of three servers with JetStream, as the documentation describes it. */
export const startNatsCluster = async (t: Teardown, options: NatsOptions = {}): Promise<NatsServer[]> => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const { tls, lines = [] } = options;
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const secured = tls
    ? `tls { cert_file: "${tls.cert}", key_file: "${tls.key}", ca_file: "${tls.cert}", verify: true }`
    : '';
  return Promise.all(
    ports.map((port, index) => {
      const cluster = `cluster { name: cochlea, listen: 127.0.0.1:${port}, routes: [${routes}]\n ${secured} }`;
      return startNats(t, { ...options, lines: [...lines, `server_name: n${index + 1}`, cluster] });
    }),
  );
};

/** A user of the bus with its secret seed, and the file that contains it. */
export interface TestUser extends BusUser {
  readonly seed: string;
  readonly file: string;
}

/** Makes credentials. */
export const makeUser = (t: Teardown, role: BusUser['role'], name: string): TestUser => {
  const seed = makeSeed();
  const file = join(openFolder(t), `${role}-${name}.seed`);
  writeFileSync(file, `${seed}\n`, { mode: 0o600 });
  return { role, name, publicKey: publicKeyOf(seed), seed, file };
};

/** Returns the settings of a process on a bus. */
export const busSettings = (env: NodeJS.ProcessEnv): Settings => loadSettings(env).values;

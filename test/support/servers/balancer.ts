/** HAProxy with the sample configuration of `deploy/`, in front of two engines of a test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { openFolder } from '../folder.js';
import { until } from '../until.js';
import { findHaproxy } from './find-haproxy.js';
import { makeCertificate } from './nats.js';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

export interface Balancer {
  readonly port: number;
  /** The certificate of `localhost`. Absent without TLS. */
  readonly cert?: Buffer;
  /** Sends a command to the administration socket. @returns the answer. */
  command(words: string): Promise<string>;
  /**
   * Waits until HAProxy's health check of an engine has this result, both in the backend for streams and in the backend
   * for requests.
   */
  untilServer(name: 'a' | 'b', state: 'UP' | 'DOWN'): Promise<unknown>;
}

export interface BalancerOptions {
  /** Addresses of the two engines, as `127.0.0.1:8787`. */
  readonly engines: readonly [string, string];
  readonly port?: number;
  /**
   * Whether clients connect with TLS. Default: true. With false, the listener of the sample configuration has no
   * certificate.
   */
  readonly tls?: boolean;
}

const sample = (): string => readFileSync(join(packageDirectory(), 'deploy', 'haproxy.cfg'), 'utf8');

/**
 * Starts HAProxy with the sample configuration. It ends with the test. The lines `user` and `group` of the sample are
 * left out, because a test may be unable to switch to that user.
 */
export const startBalancer = async (t: Teardown, options: BalancerOptions): Promise<Balancer> => {
  const found = findHaproxy();
  if ('missing' in found) throw new Error(found.missing);
  const { engines, port = await freePort(), tls = true } = options;
  const folder = openFolder(t);
  const [file, admin, pem] = [join(folder, 'haproxy.cfg'), join(folder, 'admin'), join(folder, 'both.pem')];
  const own = sample().replace(/^ +(user|group) haproxy$/gm, '');
  writeFileSync(file, tls ? own : own.replace(/^( +bind "[^"]+").*$/m, '$1'));
  const made = tls ? makeCertificate(folder) : undefined;
  if (made) writeFileSync(pem, Buffer.concat([readFileSync(made.cert), readFileSync(made.key)]));
  const child: ChildProcess = spawn(found.program, ['-f', file, '-db'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      BALANCER_ADDRESS: `127.0.0.1:${port}`,
      BALANCER_CERTIFICATE: pem,
      BALANCER_SOCKET: admin,
      ENGINE_A: engines[0],
      ENGINE_B: engines[1],
    },
  });
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const command = (words: string): Promise<string> => {
    const socket = connect(admin);
    socket.end(`${words}\n`);
    return text(socket);
  };
  const untilServer = (name: string, state: string): Promise<unknown> =>
    until(async () => {
      if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}`);
      const lines = (await command('show stat').catch(() => '')).split('\n');
      const columns = lines[0]!.split(',');
      const states = lines
        .map((line) => line.split(','))
        .filter((fields) => fields[1] === name)
        .map((fields) => fields[columns.indexOf('status')]);
      return states.length === 2 && states.every((one) => one === state);
    }, `engine ${name} is ${state}`);
  await Promise.all([untilServer('a', 'UP'), untilServer('b', 'UP')]);
  return { port, ...(made ? { cert: readFileSync(made.cert) } : {}), command, untilServer };
};

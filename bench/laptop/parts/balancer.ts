/** HAProxy with the rules of `deploy/haproxy.cfg`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageDirectory } from '../../../src/config/process/data-dir.js';

export interface BalancerOptions {
  /** Address for clients, as `host:port`. Without TLS. */
  readonly address: string;
  /** Path of the administration socket. */
  readonly socket: string;
  /** Engines with their addresses. */
  readonly engines: readonly { readonly name: string; readonly address: string }[];
}

/**
 * Writes the sample `deploy/haproxy.cfg` with these addresses, one line for each engine. With this configuration,
 * HAProxy has no certificate, does not change its user, and logs to standard output.
 */
export const writeBalancerConfiguration = (
  file: string,
  { address, socket, engines }: BalancerOptions,
): void => {
  const sample = readFileSync(join(packageDirectory(), 'deploy', 'haproxy.cfg'), 'utf8');
  const servers = engines.map(({ name, address: engine }) => `    server ${name} ${engine}\n`).join('');
  const configuration = sample
    .replace(/^ +(user|group) haproxy\n/gm, '')
    .replace(/^( +log) \/dev\/log local0$/m, '$1 stdout format raw local0')
    .replace(/^( +stats socket) "[^"]+"/m, `$1 "${socket}"`)
    .replace(/^( +bind) "[^"]+".*$/m, `$1 "${address}"`)
    .replace(/(?:^ +server .*\n)+/gm, servers);
  writeFileSync(file, configuration, { mode: 0o600 });
};

/**
 * Returns the state of each engine in the balancer's backend of streams, such as `UP`; nothing if the balancer does not
 * answer.
 */
export const balancerStates = async (socket: string): Promise<ReadonlyMap<string, string>> => {
  try {
    const asked = connect(socket);
    asked.setTimeout(2000, () => asked.destroy());
    asked.end('show stat\n');
    const [head = '', ...lines] = (await text(asked)).split('\n');
    const columns = head.replace('# ', '').split(',');
    const rows = lines.map((line) => line.split(','));
    const value = (row: readonly string[], column: string): string => row[columns.indexOf(column)] ?? '';
    return new Map(
      rows
        .filter((row) => value(row, 'pxname') === 'streams' && value(row, 'svname') !== 'BACKEND')
        .map((row) => [value(row, 'svname'), value(row, 'status').split(' ')[0]!]),
    );
  } catch {
    return new Map();
  }
};

/**
 * The network of a fleet in network namespaces: each part has its own namespace, and a bridge connects the namespaces.
 * Needs root.
 */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { FleetState, Part } from '../state.js';

const run = promisify(execFile);
const ip = (...words: readonly string[]): Promise<unknown> => run('ip', [...words]);

/** Names and addresses of a fleet's network, which `chooseSubnet` has chosen. */
export interface Subnet {
  /** Prefix of the names of bridge, interfaces and namespaces. */
  readonly name: string;
  /** The first three numbers of the network's addresses. */
  readonly prefix: string;
}

/** Address of this machine in the network. */
const ownNumber = 1;

/** Chooses a network that this machine does not use. @throws Error if this user cannot make namespaces. */
export const chooseSubnet = (): Subnet => {
  if (process.getuid?.() !== 0) {
    throw new Error('--netns makes network namespaces and needs root. Without it, partitions use a relay.');
  }
  let used: string;
  try {
    used = execFileSync('ip', ['-4', '-o', 'addr'], { encoding: 'utf8' });
    execFileSync('nsenter', ['--version'], { stdio: 'ignore' });
  } catch {
    throw new Error('--netns needs the programs ip and nsenter: apt-get install iproute2 util-linux');
  }
  for (let number = 1; number < 255; number++) {
    const prefix = `10.213.${number}`;
    if (!used.includes(`${prefix}.`)) return { name: `cochlea${number}`, prefix };
  }
  throw new Error('All networks 10.213.N.0/24 are in use. Remove one: ip link delete cochlea1');
};

/** Returns the namespace and the address of a part. @param index position of the part in the fleet. */
export const placeOf = ({ name, prefix }: Subnet, part: string, index: number) => ({
  namespace: `${name}-${part}`,
  host: `${prefix}.${ownNumber + 1 + index}`,
});

const bridgeOf = (namespace: string): string => namespace.split('-')[0]!;
/** Name of a part's network interface at the bridge. Such a name has at most 15 characters. */
const interfaceOf = ({ namespace = '', host }: Part): string =>
  `${bridgeOf(namespace)}v${host.split('.').at(-1)}`;

/** Makes the bridge, and the namespace of each part. */
export const makeNamespaces = async (parts: readonly Part[]): Promise<void> => {
  const { namespace, host } = parts[0]!;
  const bridge = bridgeOf(namespace!);
  await ip('link', 'add', bridge, 'type', 'bridge');
  await ip('addr', 'add', `${host.replace(/\d+$/, String(ownNumber))}/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  for (const part of parts) {
    const [own, outer] = [part.namespace!, interfaceOf(part)];
    await ip('netns', 'add', own);
    await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', own);
    await ip('link', 'set', outer, 'master', bridge, 'up');
    await ip('-n', own, 'addr', 'add', `${part.host}/24`, 'dev', 'eth0');
    await ip('-n', own, 'link', 'set', 'lo', 'up');
    await ip('-n', own, 'link', 'set', 'eth0', 'up');
  }
};

/** Removes namespaces and bridge. Skips those that do not exist. */
export const removeNamespaces = async (parts: readonly Part[]): Promise<void> => {
  for (const { namespace } of parts) {
    if (namespace) await ip('netns', 'delete', namespace).catch(() => undefined);
  }
  const first = parts.find(({ namespace }) => namespace);
  if (first) await ip('link', 'delete', bridgeOf(first.namespace!)).catch(() => undefined);
};

/** No machine has this hardware address, so packets to it vanish without an error. */
const nowhere = '02:00:00:00:00:00';

/**
 * Cuts the wanted pairs of parts off from each other, and reconnects all other pairs. If a part is cut off from all
 * others, its link is taken down. If two parts are cut off from each other, each gets a wrong hardware address of the
 * other part.
 */
export const cutNamespaces = async (
  { parts }: Pick<FleetState, 'parts'>,
  before: FleetState['cuts'],
  wanted: FleetState['cuts'],
): Promise<void> => {
  const key = (pair: readonly [string, string]): string => pair.join(' ');
  const change = async ([a, b]: readonly [string, string], isCut: boolean): Promise<void> => {
    const [one, other] = [parts.find(({ name }) => name === a)!, parts.find(({ name }) => name === b)];
    if (other === undefined) {
      await ip('link', 'set', interfaceOf(one), isCut ? 'down' : 'up');
      return;
    }
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const neighbour = ['dev', 'eth0'];
      await (isCut
        ? ip(
            '-n',
            from.namespace!,
            'neigh',
            'replace',
            to.host,
            'lladdr',
            nowhere,
            ...neighbour,
            'nud',
            'permanent',
          )
        : ip('-n', from.namespace!, 'neigh', 'delete', to.host, ...neighbour));
    }
  };
  const [old, next] = [new Set(before.map(key)), new Set(wanted.map(key))];
  for (const pair of before) if (!next.has(key(pair))) await change(pair, false);
  for (const pair of wanted) if (!old.has(key(pair))) await change(pair, true);
};

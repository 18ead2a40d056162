/** Decides the parts of a fleet, their addresses and their connections. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../fleet/targets/free-port.js';
import { chooseSubnet, placeOf } from './network/namespaces.js';
import { wantedLinks } from './network/relays.js';
import type { FleetState, Launch, Link, Part, Role, Service } from './state.js';

/** Numbers of parts that the caller chooses. */
export interface FleetSize {
  readonly engines: number;
  readonly sidecars: number;
  readonly transcribers: number;
}

/** Services of each role with their ports. These ports are used with `--netns`, where each part has its own address. */
const services: Readonly<Record<Role, Readonly<Partial<Record<Service, number>>>>> = {
  relay: {},
  postgres: { main: 5432 },
  nats: { main: 4222, second: 6222, monitor: 8222 },
  transcriber: {},
  sidecar: { main: 8788, monitor: 8790 },
  engine: { main: 8787, monitor: 8789 },
  balancer: { main: 8080 },
};

const loopback = '127.0.0.1';

/** Returns a function that returns ports of loopback, each only once. */
const distinctPorts = (): (() => Promise<number>) => {
  const given = new Set<number>();
  return async () => {
    for (;;) {
      const port = await freePort();
      if (given.has(port)) continue;
      given.add(port);
      return port;
    }
  };
};

/** Placeholder for `launch`, which is set when the configurations of the planned fleet are written. */
const unplanned: Launch = { program: '', args: [], env: {} };

/**
 * Plans a fleet. The engines use the transcribers in turn: each engine uses the next transcriber, and after the last
 * one the first. The same holds for the sidecars.
 * @param folder absolute path of the fleet's folder.
 * @throws Error if network namespaces are wanted and this user cannot make them.
 */
export const planFleet = async (
  folder: string,
  size: FleetSize,
  netns: boolean,
  settings: Readonly<Record<string, string>>,
): Promise<FleetState> => {
  const names = (role: Role, count: number): { role: Role; name: string; number: number }[] =>
    Array.from({ length: count }, (_, number) => ({ role, name: `${role}-${number + 1}`, number }));
  const wanted = [
    ...(netns ? [] : [{ role: 'relay' as const, name: 'relay', number: 0 }]),
    ...names('postgres', 2),
    ...names('nats', 3),
    ...names('transcriber', size.transcribers),
    ...names('sidecar', size.sidecars),
    ...names('engine', size.engines),
    { role: 'balancer' as const, name: 'balancer', number: 0 },
  ];
  const subnet = netns ? chooseSubnet() : undefined;
  const port = distinctPorts();
  const parts: Part[] = [];
  for (const [index, { role, name, number }] of wanted.entries()) {
    const ports: Partial<Record<Service, number>> = {};
    for (const [service, usual] of Object.entries(services[role]) as [Service, number][]) {
      ports[service] = netns ? usual : await port();
    }
    const speaks = (role === 'engine' || role === 'sidecar') && size.transcribers > 0;
    parts.push({
      name,
      role,
      ports,
      ...(subnet ? placeOf(subnet, name, index) : { host: loopback }),
      folder: join(folder, 'data', name),
      log: join(folder, 'logs', `${name}.log`),
      launch: unplanned,
      ...(speaks ? { transcriber: `transcriber-${(number % size.transcribers) + 1}` } : {}),
    });
  }
  const links: Link[] = [];
  for (const { from, to, service } of wantedLinks(parts)) {
    const target = parts.find(({ name }) => name === to)!;
    links.push({
      from,
      to,
      service,
      ...(netns
        ? { host: target.host, port: target.ports[service]! }
        : { host: loopback, port: await port() }),
    });
  }
  return {
    version: 1,
    folder,
    network: netns ? 'netns' : 'relay',
    settings,
    parts,
    links,
    cuts: [],
    primary: 'postgres-1',
    synchronous: false,
    secrets: {
      database: randomBytes(24).toString('hex'),
      issuer: randomBytes(32).toString('hex'),
      spill: randomBytes(32).toString('base64'),
    },
  };
};

/** Returns the address of a fleet for clients. */
export const publicUrlOf = ({ parts }: Pick<FleetState, 'parts'>): string => {
  const { host, ports } = parts.find(({ role }) => role === 'balancer')!;
  return `http://${host}:${ports.main}`;
};

/** The network of a fleet on loopback: each connection between two parts goes through a relay that can be cut. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Link, Part, Service } from '../state.js';
import type { NamedRelay } from './relay-program.js';

/** A connection that the fleet needs. */
export interface WantedLink {
  readonly from: string;
  readonly to: string;
  readonly service: Service;
}

/** Returns the connections between the parts of a fleet. */
export const wantedLinks = (parts: readonly Part[]): WantedLink[] => {
  const named = (role: Part['role']): Part[] => parts.filter((part) => part.role === role);
  const [databases, buses, sidecars, engines] = [
    named('postgres'),
    named('nats'),
    named('sidecar'),
    named('engine'),
  ];
  const between = (from: readonly Part[], to: readonly Part[], service: Service = 'main'): WantedLink[] =>
    from.flatMap((one) =>
      to.filter((other) => other !== one).map((other) => ({ from: one.name, to: other.name, service })),
    );
  return [
    ...between([...engines, ...sidecars], [...databases, ...buses]),
    ...engines.flatMap((engine, index) => between([engine], [sidecars[index % sidecars.length]!])),
    ...between(named('balancer'), engines),
    ...between(databases, databases),
    ...between(buses, buses, 'second'),
  ];
};

/** Path of the relay's control socket. */
export const controlSocket = (folder: string): string => join(folder, 'relay.sock');

/** Returns the relays for the relay process. */
export const relaysOf = (links: readonly Link[], parts: readonly Part[]): NamedRelay[] =>
  links.map(({ from, to, service, host, port }) => {
    const target = parts.find(({ name }) => name === to)!;
    return { from, to, host, port, targetHost: target.host, targetPort: target.ports[service]! };
  });

/**
 * Cuts the connections between these pairs of parts, and mends all other connections.
 * @returns the number of relays that are cut.
 * @throws Error if the relay process does not answer. The cut is then not made.
 */
export const cutRelays = async (
  folder: string,
  pairs: readonly (readonly [string, string])[],
): Promise<number> => {
  try {
    const socket = connect(controlSocket(folder));
    await once(socket, 'connect');
    socket.write(`${JSON.stringify(pairs)}\n`);
    return Number.parseInt(await text(socket), 10);
  } catch (cause) {
    throw new Error('The relay does not answer, so the network is as before. Run "npm run fleet -- down".', {
      cause,
    });
  }
};

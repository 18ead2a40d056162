/**
 * A TCP relay on loopback that can stop forwarding, like a network that is cut. No byte is lost: bytes wait until the
 * relay forwards again.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

export interface Relay {
  readonly port: number;
  cut(): void;
  mend(): void;
}

/** Starts a relay to a port of this machine. It ends with the test. */
export const startRelay = async (t: Teardown, target: number): Promise<Relay> => {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      if (isCut) from.pause();
      from.on('error', () => undefined);
      from.on('data', (bytes) => to.write(bytes));
      from.on('end', () => to.end());
      from.on('close', () => {
        sockets.delete(from);
        if (!isCut) to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
  };
};

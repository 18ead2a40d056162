/** A balancer without any affinity: each request and each stream goes to the next engine that accepts connections. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

interface Teardown {
  teardown(action: () => unknown): unknown;
}

/** Returns the head of an upgrade as it was received. */
const headOf = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): string => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
};

/**
 * Starts the balancer on loopback. It ends with the test.
 * @param engines addresses as `127.0.0.1:8787`.
 * @returns its port.
 */
export const startRoundRobin = async (
  t: Teardown,
  engines: readonly string[],
  port = 0,
): Promise<{ readonly port: number }> => {
  let turn = 0;
  /** Connects to the next engine. If an engine refuses the connection, tries the one after it. */
  const next = async (): Promise<Socket> => {
    for (let attempt = 1; ; attempt++) {
      const [host, number] = engines[turn++ % engines.length]!.split(':');
      const socket = connect({ host: host!, port: Number(number) });
      const connected = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'close').then(() => false),
      ]).catch(() => false);
      if (connected || attempt === engines.length) return socket;
    }
  };
  const server = createServer(async (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const upstream = await next();
    const forward = request({ method, path, headers, createConnection: () => upstream });
    forward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forward.destroy());
    incoming.pipe(forward);
    forward.on('response', (answer) => {
      answer.on('error', () => outgoing.destroy());
      outgoing.writeHead(answer.statusCode!, answer.rawHeaders);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
  });
  // Turns the timeout off, because event streams and long uploads stay open.
  server.requestTimeout = 0;
  server.on('upgrade', async (incoming, socket, head) => {
    const upstream = await next();
    upstream.write(headOf(incoming));
    upstream.write(head);
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const sockets = new Set<{ destroy(): unknown }>();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
};

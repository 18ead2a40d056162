import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { type HostedName, stubProtocols } from './protocols.js';
import { type HostedFault, type HostedRecord, HostedStream } from './stream.js';

/** A stub of a hosted service on a loopback port. */
export interface HostedStub {
  /** Base address of the stub. */
  readonly url: string;
  /** Fault of the streams that begin after this is set; undefined: no fault. */
  fault: HostedFault | undefined;
  /** HTTP status of the refusals that the fault `refuse` causes. */
  refusal: number;
  /** One record per stream, in the order in which the streams began. */
  readonly records: HostedRecord[];
  /** Closes the server and all connections immediately. */
  stop(): Promise<void>;
}

/** Starts a stub. @param secondsEach seconds of audio between two results. Default 0: a result after each section of sound. */
export const startHostedStub = async (name: HostedName, secondsEach = 0): Promise<HostedStub> => {
  const protocol = stubProtocols[name];
  const records: HostedRecord[] = [];
  const upgrades = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request, socket: Socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub');
    const { fault } = stub;
    const refuse = (status: number): void => {
      socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    };
    if (pathname !== protocol.path) return refuse(404);
    if (fault === 'refuse') return refuse(stub.refusal);
    if (fault === 'quota-at-once' && protocol.quotaStatus !== undefined) return refuse(protocol.quotaStatus);
    if (fault === 'stall-connect' && protocol.hello === undefined) return;
    const record: HostedRecord = {
      path: pathname,
      query: Object.fromEntries(searchParams),
      authorization: request.headers.authorization,
      samples: 0,
      spoken: 0,
      texts: [],
      finals: [],
      finished: false,
    };
    records.push(record);
    upgrades.handleUpgrade(request, socket, head, (accepted) => {
      new HostedStream(accepted, protocol, record, fault, secondsEach * 16_000);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stub: HostedStub = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: undefined,
    refusal: 503,
    records,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return stub;
};

import { connect, createServer, type Socket } from 'node:net';

export interface Proxy {
  /** Address of the database through the proxy. */
  readonly url: string;
  /** `silent`: the proxy reads bytes but forwards nothing. `refused`: connections end at once. `open`: everything passes. */
  mode: 'open' | 'silent' | 'refused';
  close(): Promise<void>;
}

/** Starts a proxy between a journal and its database that simulates network faults. */
export const startProxy = async (databaseUrl: string): Promise<Proxy> => {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let mode: Proxy['mode'] = 'open';

  const server = createServer((near) => {
    if (mode === 'refused') {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('data', (bytes) => mode === 'open' && to.write(bytes));
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    get mode() {
      return mode;
    },
    set mode(wanted) {
      mode = wanted;
      if (wanted === 'refused') for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

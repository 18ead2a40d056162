/** Tests the relay of the laptop fleet: during a cut, the relay keeps all bytes, and it delivers them after the cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { CuttableRelay } from '../../../bench/laptop/network/cuttable-relay.js';
import { until } from '../../support/until.js';

/** Starts a server that sends everything back. @returns its sockets, and a function that ends it. */
const startEcho = async (t: Test, port = 0) => {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.resetAndDestroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  t.teardown(stop);
  return { sockets, stop, port: (server.address() as AddressInfo).port };
};

const startRelay = async (t: Test, targetPort: number) => {
  const port = await freePort();
  const relay = new CuttableRelay({ host: '127.0.0.1', port, targetHost: '127.0.0.1', targetPort });
  t.teardown(() => relay.close());
  await relay.open();
  return { relay, port };
};

/** A client that collects what it receives. */
const open = async (t: Test, port: number) => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  const client = { socket, received: '', ended: false, closed: false };
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    client.received += bytes;
  });
  socket.on('end', () => {
    client.ended = true;
  });
  socket.on('close', () => {
    client.closed = true;
  });
  await once(socket, 'connect');
  return client;
};

const refuses = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(false));
    socket.once('error', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });

t.test('bytes of a cut arrive after it, in order', async (t) => {
  const echo = await startEcho(t);
  const { relay, port } = await startRelay(t, echo.port);
  const client = await open(t, port);
  client.socket.write('before ');
  await until(() => client.received === 'before ');
  relay.cut();
  client.socket.write('during ');
  const late = await open(t, port);
  late.socket.write('late');
  // A connection without the relay is answered meanwhile. So only the cut can be the reason why the other bytes do not
  // arrive.
  const direct = await open(t, echo.port);
  direct.socket.write('direct');
  await until(() => direct.received === 'direct');
  t.equal(client.received, 'before ');
  t.equal(late.received, '');
  t.equal(echo.sockets.length, 2, 'the connection of the cut did not reach the target');
  relay.mend();
  client.socket.write('after');
  await until(() => client.received === 'before during after');
  await until(() => late.received === 'late');
});

t.test('the end of a connection is seen only after the cut', async (t) => {
  const echo = await startEcho(t);
  const { relay, port } = await startRelay(t, echo.port);
  const [ending, breaking] = [await open(t, port), await open(t, port)];
  for (const client of [ending, breaking]) {
    client.socket.write('x');
    await until(() => client.received === 'x');
  }
  relay.cut();
  ending.socket.end('y');
  echo.sockets[1]!.resetAndDestroy();
  const direct = await open(t, echo.port);
  direct.socket.write('direct');
  await until(() => direct.received === 'direct');
  t.same([ending.ended, breaking.closed], [false, false]);
  relay.mend();
  await until(() => ending.ended && breaking.closed);
  t.equal(ending.received, 'xy', 'the half-open connection was answered');
});

t.test('a target that refuses connections is refused by the relay, until it listens again', async (t) => {
  const echo = await startEcho(t);
  const { port } = await startRelay(t, echo.port);
  const client = await open(t, port);
  client.socket.write('x');
  await until(() => client.received === 'x');
  await echo.stop();
  await until(() => client.closed, 'the open connection is closed');
  await until(() => refuses(port), 'new connections are refused');
  await startEcho(t, echo.port);
  await until(async () => !(await refuses(port)), 'connections are accepted again');
  const again = await open(t, port);
  again.socket.write('y');
  await until(() => again.received === 'y');
});

/**
 * A connection moves to a new socket, which reads into a shared buffer. No byte is lost, and the former socket and the
 * new socket end together.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { readIntoOwnBuffer } from '../../../src/front/node/own-buffer.js';
import { until } from '../../support/until.js';

/** Returns both ends of a connection. */
const pair = async (
  t: Test,
): Promise<{ client: Socket; accepted: Socket; server: ReturnType<typeof createServer> }> => {
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const client = connect({ port, host: '127.0.0.1' });
  const [accepted] = (await once(server, 'connection')) as [Socket];
  t.teardown(() => {
    client.destroy();
    accepted.destroy();
    server.close();
  });
  return { client, accepted, server };
};

const connectionsOf = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));

t.test('passes bytes in both directions, and the end ends both sockets', async (t) => {
  const { client, accepted, server } = await pair(t);
  let received = '';
  const socket = readIntoOwnBuffer(accepted, (bytes) => {
    received += bytes.toString('latin1');
  });
  t.not(socket, accepted, 'this release of Node lets go of a connection');
  client.write('one');
  await until(() => received === 'one');
  socket.pause();
  client.write('two');
  socket.write('answer');
  const [answer] = (await once(client, 'data')) as [Buffer];
  t.equal(answer.toString(), 'answer');
  t.equal(received, 'one', 'nothing is read while it is paused');
  socket.resume();
  await until(() => received === 'onetwo');
  const ended = once(accepted, 'close');
  client.resetAndDestroy();
  await ended;
  t.ok(socket.destroyed);
  t.equal(await connectionsOf(server), 0, 'the server counts it no more');
});

t.test('the end of the original socket ends the new one', async (t) => {
  const { client, accepted } = await pair(t);
  const socket = readIntoOwnBuffer(accepted, () => undefined);
  const gone = once(client, 'close');
  client.on('error', () => undefined).resume();
  accepted.destroy();
  await gone;
  t.ok(socket.destroyed);
});

t.test('keeps a socket that has already read bytes or its end', async (t) => {
  const first = await pair(t);
  first.accepted.unshift(Buffer.from('x'));
  t.equal(
    readIntoOwnBuffer(first.accepted, () => undefined),
    first.accepted,
  );
  const second = await pair(t);
  second.accepted.read(0);
  second.client.end();
  await until(
    () => (second.accepted as unknown as { _readableState: { ended: boolean } })._readableState.ended,
  );
  t.equal(
    readIntoOwnBuffer(second.accepted, () => undefined),
    second.accepted,
  );
});

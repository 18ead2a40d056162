/** Unknown clients may request the health pages, but their requests must not keep the main thread busy. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { startRig } from '../support.js';

const pages = ['/engine/health/live', '/engine/health/ready'];

const open = async (
  origin: string,
): Promise<{ socket: Socket; text: () => string; closed: Promise<unknown> }> => {
  const socket = connect(Number(origin.split(':')[1]), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, text: () => received, closed };
};

for (const page of pages) {
  const request = `GET ${page} HTTP/1.1\r\nHost: a\r\n\r\n`;

  t.test(`${page}: closes a connection that sends many requests at once`, async (t) => {
    const { origin } = await startRig(t);
    const { socket, text, closed } = await open(origin);
    socket.write(request.repeat(1000));
    await closed;
    t.ok(text().split('HTTP/1.1 200').length <= 2, 'not more than one is answered');
  });

  t.test(`${page}: answers all requests that arrive one after the other`, async (t) => {
    const { origin } = await startRig(t);
    const { socket, text } = await open(origin);
    for (let count = 1; count <= 3; count++) {
      socket.write(request);
      while (text().split('"status":"ok"').length <= count) await once(socket, 'data');
    }
    socket.destroy();
    t.pass('on one connection');
  });
}

t.test('reports "not ready" when the check fails', async (t) => {
  const { origin } = await startRig(t, {
    ready: () => {
      throw new Error('away');
    },
  });
  const answer = await fetch(`http://${origin}/engine/health/ready`);
  t.equal(answer.status, 503);
  t.same(await answer.json(), { status: 'starting' });
});

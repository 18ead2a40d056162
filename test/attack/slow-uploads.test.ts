/** Slow uploads, with or without a key, do not block REST for others. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { serviceOnTestDatabase } from '../support/service.js';
import { until } from '../support/until.js';

const path = '/v1/dev/user/conversations/from-segments';

t.test('slow uploads do not block other clients', async (t) => {
  const service = await serviceOnTestDatabase(t, {
    COCHLEA_STT: 'discard',
    MAX_PROXIED: '12',
    MAX_PROXIED_PER_ADDRESS: '4',
  });
  const port = Number(new URL(service.base).port);
  const engines = service.processes(' engine');
  await service.user('ann');
  const key = await service.developerKey('ann');
  const sockets: Socket[] = [];
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
  });

  /** Starts a request with a large body, sends one byte of it, and waits. @returns the status of the answer, once it arrives. */
  const upload = async (address: string, credential: string): Promise<{ status: Promise<string> }> => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`,
    );
    const status = once(socket, 'data').then(([data]) => String(data).slice(9, 12));
    return { status };
  };
  const read = (address: string): Promise<Response> =>
    fetch(`${service.base}/v1/dev/user/conversations`, {
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address },
    });

  t.test('without a key, they are answered before their body is read', async (t) => {
    const uploads = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        upload(`203.0.113.${index % 10}`, `svc_dev_${'0'.repeat(32)}`),
      ),
    );
    const statuses = await Promise.all(uploads.map(({ status }) => status));
    t.ok(
      statuses.every((status) => status === '401' || status === '503'),
      `refused: ${[...new Set(statuses)].join(', ')}`,
    );
    await until(async () => (await read('198.51.100.1')).status === 200, 'all slots are free again');
  });

  t.test('with a key, they occupy only the slots of their address', async (t) => {
    const uploads = await Promise.all(Array.from({ length: 12 }, () => upload('203.0.113.77', key)));
    let refused = 0;
    for (const { status } of uploads) void status.then((code) => code === '503' && refused++);
    await until(() => refused === 8, "requests above the address's slots are refused");
    t.equal((await read('203.0.113.77')).status, 503, 'the address has no free slot');
    t.equal((await read('198.51.100.1')).status, 200, 'another address has free slots');
    for (const socket of sockets) socket.destroy();
    await until(
      async () => (await read('203.0.113.77')).status === 200,
      'the slots of the address are free again',
    );
  });

  t.same(service.processes(' engine'), engines, 'the engine did not restart');
});

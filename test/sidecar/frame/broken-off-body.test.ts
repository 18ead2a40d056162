/** A client that disconnects while it sends its body does not count as a failure of the service. */

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type FastifyBaseLogger, fastify } from 'fastify';
import t from 'tap';
import { createLogger } from '../../../src/log/logger.js';
import { readJson } from '../../../src/service/text/read-json.js';
import { installErrorHandler } from '../../../src/sidecar/answers/error-handler.js';
import { installBodyParser } from '../../../src/sidecar/frame/body-parser.js';

t.test('a client that disconnects in its body is not logged as a failure', async (t) => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => lines.push(line) });
  const app = fastify({ loggerInstance: log as FastifyBaseLogger });
  installErrorHandler(app);
  installBodyParser(app, async (bytes) => readJson(bytes));
  app.post('/broken', () => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  });
  let statuses: number[] = [];
  const answered = new Promise<void>((resolve) => {
    app.addHook('onSend', async (_request, reply) => {
      statuses.push(reply.statusCode);
      resolve();
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const arrived = once(app.server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write(
    'POST /broken HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a',
  );
  const [socket] = await arrived;
  await once(socket, 'data');
  client.resetAndDestroy();
  await answered;
  t.same(statuses, [400]);
  t.notMatch(lines.join(''), /request failed|database/);

  statuses = [];
  const whole = await fetch(`http://127.0.0.1:${port}/broken`, { method: 'POST', body: '{}' });
  t.equal(whole.status, 503, 'the same error from a handler is logged as a failure');
  t.match(lines.join(''), /database_unavailable/);
});

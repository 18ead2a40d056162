/** Sends methods that no route has as raw bytes, because an HTTP client may refuse to send them. */
import { connect } from 'node:net';
import t from 'tap';
import { startApi } from '../support.js';

/** Sends a request line, and returns the status and the `Allow` header of the answer. */
const asked = (port: number, line: string): Promise<{ status: number; allow: string | undefined }> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject).on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
      resolve({ status, allow: /^allow: (.*)\r$/im.exec(text)?.[1] });
    });
    socket.write(`${line} HTTP/1.1\r\nHost: cochlea\r\nConnection: close\r\n\r\n`);
  });

t.test('a method without an operation is answered 405 with Allow', async (t) => {
  const { base } = await startApi(t);
  const port = Number(new URL(base).port);
  // Methods that Fastify knows, that only the parser of Node.js knows, or that neither knows.
  for (const method of ['TRACE', 'PROPFIND', 'LOCK', 'PURGE', 'M-SEARCH', 'LINK', 'SOURCE']) {
    t.same(await asked(port, `${method} /v1/dev/user/memories`), { status: 405, allow: 'GET, POST' }, method);
    const missing = await asked(port, `${method} /v1/nothing`);
    t.equal(missing.status, 404, `${method} of an unknown path`);
  }
  for (const line of ['BREW /v1/dev/user/memories', 'X /', 'CONNECT cochlea:443', 'trace /v1/dev/keys']) {
    const { status, allow } = await asked(port, line);
    t.equal(status, 405, line);
    t.match(allow, /^GET, HEAD, POST/, line);
  }
  const oneRecord = { status: 405, allow: 'DELETE, GET, PATCH' };
  t.same(await asked(port, 'TRACE /v1/dev/user/memories/1?a=b'), oneRecord, 'a path with a parameter');
  t.equal(
    (await asked(port, 'GE(T /v1/dev/keys')).status,
    400,
    'characters that are not allowed in a method',
  );
});

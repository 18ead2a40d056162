/** Generates legal requests and upgrades. Every listener in use must answer each as plain `node:http` does. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import pLimit from 'p-limit';
import t, { type Test } from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import type { Settings } from '../../../src/config/settings.js';
import { chooseListener } from '../../../src/front/choose-listener.js';
import type { ListenerApp } from '../../../src/front/listener/listener.js';
import { createNodeApp } from '../../../src/front/node/app.js';
import { nodeLimits } from '../../../src/front/node/limits.js';
import { rareNameCharacters } from '../../../src/front/self-test/cases.js';
import { copyHandshake } from '../../../src/front/streams/handshake.js';
import { createUwsApp } from '../../../src/front/uws/app.js';
import { createLogger } from '../../../src/log/logger.js';
import { parseAnswers } from '../../attack/support/http-answers.js';
import { RawConnection } from '../../attack/support/raw-connection.js';

const count = 2000;
const abreast = 48;
const seed = Date.now() % 2 ** 31;
const log = createLogger('generated-test', 'silent');
const settings: Settings = { ...loadSettings({}).values, host: '127.0.0.1', port: 0, maxProxied: 1000 };
const socketPath = '/socket';
const key = 'dGhlIHNhbXBsZSBub25jZQ==';

interface Generated {
  readonly upgrades: boolean;
  readonly method: string;
  readonly bytes: Buffer;
  /** Positions at which the bytes are split, ascending. */
  readonly cuts: readonly number[];
}

/** Returns the handler's input as the body of its answer. */
const echo = (
  method: string,
  target: string,
  fields: readonly (readonly [string, string])[],
  body: Buffer,
): string => JSON.stringify({ method: method.toUpperCase(), target, fields, body: body.toString('latin1') });

const alphanumeric = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Headers that have a meaning for the listener itself. */
const meaningful =
  /^(host|connection|upgrade|content-length|transfer-encoding|expect|keep-alive|te|trailer|sec-websocket-.*)$/i;
const charactersOf = (characters: string, most: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: most });
const name = fc
  .oneof(
    charactersOf(alphanumeric + rareNameCharacters, 30),
    charactersOf(rareNameCharacters, 5),
    charactersOf(alphanumeric, 300),
  )
  .filter((text) => !meaningful.test(text));
const valueByte = fc.oneof(
  fc.integer({ min: 0x21, max: 0x7e }),
  fc.integer({ min: 0x80, max: 0xff }),
  fc.constantFrom(0x20, 0x09),
);
const value = fc
  .array(valueByte, { maxLength: 60 })
  .map((bytes) => String.fromCharCode(...bytes).replace(/^[ \t]+|[ \t]+$/g, ''));
const path = charactersOf(`${alphanumeric}-._~!$&'()*+,;=:@/%?`, 60).map((text) => `/${text}`);
/** Length in bytes of a header that fills the head up to the limit. */
const filling = fc.option(fc.integer({ min: 1, max: 12_000 }), { freq: 6, nil: 0 });
const body = fc.oneof(
  fc.constant(''),
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => {
    const text = Buffer.from(bytes).toString('latin1');
    return `Content-Length: ${bytes.length}\r\n\r\n${text}`;
  }),
  fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 5 }).map((chunks) => {
    const parts = chunks.map(
      (bytes) => `${bytes.length.toString(16)}\r\n${Buffer.from(bytes).toString('latin1')}\r\n`,
    );
    return `Transfer-Encoding: chunked\r\n\r\n${parts.join('')}0\r\n\r\n`;
  }),
);

const splitting = fc.oneof(
  { weight: 3, arbitrary: fc.constant<'whole'>('whole') },
  { weight: 6, arbitrary: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant<'bytes'>('bytes') },
);

const cutsOf = (split: 'whole' | 'bytes' | number[], length: number): number[] => {
  if (split === 'whole') return [];
  if (split === 'bytes')
    return length > 600 ? [] : Array.from({ length: length - 1 }, (_, index) => index + 1);
  return [...new Set(split.map((at) => 1 + (at % (length - 1))))].sort((one, other) => one - other);
};

const generated: fc.Arbitrary<Generated> = fc
  .record({
    upgrades: fc.boolean(),
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    path,
    fields: fc.array(fc.tuple(name, value), { maxLength: 40 }),
    filling,
    body,
    split: splitting,
  })
  .map(({ upgrades, method, path, fields, filling, body, split }) => {
    const own = upgrades
      ? `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n`
      : '';
    const first = upgrades ? `GET ${socketPath} HTTP/1.1` : `${method} ${path} HTTP/1.1`;
    const head = `${first}\r\nHost: localhost\r\n${own}`;
    let lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
    // Drops lines until the head is within its length limit.
    while (head.length + lines.join('').length > nodeLimits.headerBytes - 500) lines = lines.slice(1);
    const left = nodeLimits.headerBytes - 500 - head.length - lines.join('').length;
    if (filling > 0) lines.push(`x-filling: ${'f'.repeat(Math.min(filling, left))}\r\n`);
    const hasBody = !upgrades && ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
    const bytes = Buffer.from(`${head}${lines.join('')}${hasBody && body !== '' ? body : '\r\n'}`, 'latin1');
    return { upgrades, method: upgrades ? 'GET' : method, bytes, cuts: cutsOf(split, bytes.length) };
  });

/** Starts a server of plain `node:http`. */
const startPlain = async (t: Test): Promise<number> => {
  const server = createServer({ maxHeaderSize: nodeLimits.headerBytes }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const { rawHeaders } = request;
      const fields = rawHeaders.flatMap((name, index): [string, string][] =>
        index % 2 === 0
          ? [[name.toLowerCase(), Buffer.from(rawHeaders[index + 1]!, 'latin1').toString('utf8')]]
          : [],
      );
      response.end(echo(request.method!, request.url!, fields, Buffer.concat(chunks)));
    });
  });
  server.maxHeadersCount = 0;
  server.on('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.on('error', () => undefined);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
};

const startApp = async (t: Test, app: ListenerApp): Promise<number> => {
  app.any('*', (response, request) => {
    const method = request.getMethod();
    const query = request.getQuery() ?? '';
    const target = `${request.getUrl()}${query === '' ? '' : `?${query}`}`;
    const fields: [string, string][] = [];
    request.forEach((name, value) => void fields.push([name, value]));
    const chunks: Buffer[] = [];
    let gone = false;
    response.onAborted(() => {
      gone = true;
    });
    response.onData((chunk, isLast) => {
      chunks.push(Buffer.from(new Uint8Array(chunk)));
      if (!isLast || gone) return;
      const text = echo(method, target, fields, Buffer.concat(chunks));
      if (method.toUpperCase() === 'HEAD') response.endWithoutBody(Buffer.byteLength(text));
      else response.cork(() => response.end(text));
    });
  });
  app.stream(socketPath, {
    upgrade: (response, request, accept) => {
      response.onAborted(() => undefined);
      accept({ attach: () => undefined }, copyHandshake(request));
    },
    message: () => undefined,
    close: () => undefined,
  });
  t.teardown(() => app.close());
  return app.listen();
};

/** The listener's interface does not distinguish `/x?`, with an empty query, from `/x`. */
const comparable = (body: string): string => body.replace(/\?","fields"/, '","fields"');

/** Sends a request. @returns the answer as text for comparison. */
const answerOf = async (port: number, { upgrades, method, bytes, cuts }: Generated): Promise<string> => {
  const connection = await RawConnection.open(port);
  try {
    const bounds = [0, ...cuts, bytes.length];
    for (let index = 1; index < bounds.length; index++) {
      connection.send(bytes.subarray(bounds[index - 1], bounds[index]));
      if (index < bounds.length - 1)
        await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
    }
    if (upgrades) {
      await connection.until(() => connection.text.includes('\r\n\r\n') || connection.isClosed, 20_000);
      return `${connection.text.slice(0, 12)} ${/^sec-websocket-accept: (.*)$/im.exec(connection.text)?.[1]}`;
    }
    const answers = () => parseAnswers(connection.received, [method], connection.isClosed).answers;
    await connection.until(() => answers().length > 0 || connection.isClosed, 20_000);
    const [answer] = answers();
    if (answer === undefined) return 'no answer';
    const length = method === 'HEAD' ? '' : answer.headers['content-length'];
    return `${answer.status} ${length === '' ? '' : comparable(answer.body.toString())}`;
  } finally {
    connection.destroy();
  }
};

t.test(`${count} valid requests and upgrades get the same answers as from plain node:http`, async (t) => {
  const { uws } = await chooseListener({ ...settings, listener: 'auto' }, log);
  const requests = fc.sample(generated, { numRuns: count, seed });
  t.comment(`seed ${seed}; ${requests.filter(({ upgrades }) => upgrades).length} upgrades`);
  const plain = await startPlain(t);
  const limit = pLimit(abreast);
  const expected = await Promise.all(requests.map((request) => limit(() => answerOf(plain, request))));
  t.same(
    expected.filter((answer) => !/^(200 |HTTP\/1\.1 101 s3pPLMBi)/.test(answer)),
    [],
    'all of them are legal',
  );
  const apps = [
    createNodeApp(settings, log),
    ...(uws === null ? [] : [await createUwsApp(uws, settings, log)]),
  ];
  for (const app of apps) {
    const port = await startApp(t, app);
    const answers = await Promise.all(requests.map((request) => limit(() => answerOf(port, request))));
    const different = requests.filter((_, index) => answers[index] !== expected[index]);
    t.same(
      different.slice(0, 3).map(({ bytes, cuts }) => ({ bytes: bytes.toString('latin1'), cuts })),
      [],
      `${app.build} answers as node:http`,
    );
  }
});

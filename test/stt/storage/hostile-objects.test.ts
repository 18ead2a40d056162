/**
 * A server that replaces the bucket gives wrong answers. Because of such an answer, no object may count as stored,
 * removed or complete.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { bucketFiles } from '../../../src/stt/storage/bucket.js';
import { bucketObjects } from '../../../src/stt/storage/bucket-objects.js';

const part = fixedLimits.objectPart.value;

/** Starts a server that answers every request. @returns the settings of its bucket, and the requests. */
const serve = async (t: Test, answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().once('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { values: settings } = loadSettings({
    BUCKET_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/kept`,
    BUCKET_ACCESS_KEY: 'key',
    BUCKET_SECRET_KEY: 'secret',
  });
  return { settings, asked, objects: bucketObjects(settings, 'recordings') };
};

const failed = (why: RegExp) => ({ code: 'retained_store_failed', message: why });

const readAll = async (pieces: AsyncIterable<Uint8Array> | null): Promise<number> => {
  let bytes = 0;
  for await (const piece of pieces ?? []) bytes += piece.length;
  return bytes;
};

t.test('a page that is not from a bucket confirms nothing', async (t) => {
  const { settings, objects } = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in to the network</html>');
  });
  const files = bucketFiles(settings);
  await t.rejects(files.write('a', Buffer.from('speech')), failed(/without the tag/));
  await t.rejects(files.list(), failed(/without a listing/), 'otherwise a deletion would seem complete');
  await t.rejects(objects.list(), failed(/without a listing/));
  const writer = objects.create('a');
  await writer.write(Buffer.from('speech'));
  await t.rejects(writer.finish(), failed(/without the tag/));
});

t.test('a listing that ends too early is refused', async (t) => {
  const { objects } = await serve(t, (_request, response) => {
    const file = '<Contents><Key>recordings/a</Key><Size>3</Size></Contents>';
    response.end(`<ListBucketResult><IsTruncated>true</IsTruncated>${file}</ListBucketResult>`);
  });
  await t.rejects(objects.list(), failed(/incomplete/));
});

t.test('bytes at another place of an object are refused', async (t) => {
  for (const [name, ranges, sizes, bytes] of [
    [
      'repeats the first part',
      [`0-${part - 1}/${2 * part}`, `0-${part - 1}/${2 * part}`],
      [part, part],
      null,
    ],
    ['begins later', [`1-10/11`], [10], null],
    ['has fewer bytes than it says', ['0-9/10'], [5], null],
    [
      'has another size later',
      [`0-${part - 1}/${part + 9}`, `${part}-${part + 7}/${part + 8}`],
      [part, 8],
      null,
    ],
    ['sends byte after byte', ['0-0/1000000', '1-1/1000000'], [1, 1], null],
    ['says no range', [], [10], null],
    ['is correct', [`0-${part - 1}/${part + 8}`, `${part}-${part + 7}/${part + 8}`], [part, 8], part + 8],
  ] as const) {
    let number = 0;
    const { objects, asked } = await serve(t, (_request, response) => {
      const range = ranges[number] === undefined ? {} : { 'content-range': `bytes ${ranges[number]}` };
      response.writeHead(206, range).end(Buffer.alloc(sizes[number++] ?? 0));
    });
    const read = objects.read('a').then(readAll);
    if (bytes === null) await t.rejects(read, failed(/other bytes than requested|changes while/), name);
    else t.equal(await read, bytes, name);
    t.ok(asked.length <= 2, `${name}: ${asked.length} requests`);
  }
});

t.test('a listing of unfinished objects without ends takes no longer than another one', async (t) => {
  const { objects, asked } = await serve(t, (_request, response) => {
    response.end('<Upload>'.repeat(1_000_000));
  });
  t.equal(await objects.removeUnfinished(Date.now()), 0);
  t.equal(asked.length, 1);
});

t.test('the number of removals of one listing is limited', async (t) => {
  const upload =
    '<Upload><Key>recordings/a</Key><UploadId>u</UploadId><Initiated>2020-01-01T00:00:00Z</Initiated></Upload>';
  const { objects, asked } = await serve(t, ({ method }, response) => {
    response.end(method === 'GET' ? upload.repeat(1500) : '');
  });
  t.equal(await objects.removeUnfinished(Date.now()), 1000);
  t.equal(asked.length, 1001);
});

t.test('ids and codes of a server are not repeated at any length', async (t) => {
  const long = 'x'.repeat(100_000);
  const { objects } = await serve(t, ({ method }, response) => {
    response.writeHead(method === 'POST' ? 200 : 403);
    response.end(method === 'POST' ? `<UploadId>${long}</UploadId>` : `<Error><Code>${long}</Code></Error>`);
  });
  await t.rejects(objects.create('a').write(Buffer.alloc(part + 1)), failed(/begins no upload/));
  const refused = (await objects.list().catch((error: unknown) => error)) as Error;
  t.match(refused.message, /HTTP 403/);
  t.ok(refused.message.length < 300, `${refused.message.length} characters`);
});

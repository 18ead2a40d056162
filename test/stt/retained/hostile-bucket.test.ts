/** Tests a bucket with invalid answers. No data may go to another server, and memory and time must stay limited. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { writeOggOpus } from '../../../src/audio/ogg/write.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { decodeRetained, encodeRetained, readRetainedWav } from '../../../src/stt/retained/codec.js';
import { readUnencoded, writeUnencoded } from '../../../src/stt/retained/unencoded.js';
import { bucketFiles } from '../../../src/stt/storage/bucket.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const serve = async (t: Test, answer: Answer): Promise<string> => {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const bucketAt = (origin: string, timeout?: number) => {
  const { values } = loadSettings({
    BUCKET_URL: `${origin}/kept/audio`,
    BUCKET_ACCESS_KEY: 'key',
    BUCKET_SECRET_KEY: 'secret',
  });
  return bucketFiles(values, '', timeout);
};

const failed = (why: RegExp) => ({ code: 'retained_store_failed', message: why });
const listing = (token: string, size = '3'): string =>
  `<ListBucketResult><Contents><Key>audio/a</Key><Size>${size}</Size></Contents>
  <NextContinuationToken>${token}</NextContinuationToken></ListBucketResult>`;

t.test('follows no redirect', async (t) => {
  let elsewhere = 0;
  const other = await serve(t, (_request, response) => {
    elsewhere++;
    response.end('audio');
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const bucket = bucketAt(
      await serve(t, (request, response) => {
        request.resume();
        response.writeHead(status, { location: `${other}${request.url}` });
        response.end('<Error><Code>TemporaryRedirect</Code></Error>');
      }),
    );
    await t.rejects(
      bucket.write('a', Buffer.from('speech')),
      failed(new RegExp(`${status} TemporaryRedirect`)),
    );
    await t.rejects(bucket.read('a'), failed(new RegExp(`${status}`)));
    await t.rejects(bucket.list(), failed(new RegExp(`${status}`)));
  }
  t.equal(elsewhere, 0, 'the other server was asked nothing');
});

t.test('aborts an endless answer', async (t) => {
  let sent = 0;
  const piece = Buffer.alloc(65_536);
  const endless = bucketAt(
    await serve(t, (_request, response) => {
      const go = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', go);
      go();
    }),
  );
  const unreadable = { code: 'retained_audio_unreadable', message: /more than 33554432 bytes/ };
  await t.rejects(endless.read('a'), unreadable);
  t.ok(sent < 4 * 33_554_432, 'no more of it is received');
  const bomb = gzipSync(Buffer.alloc(100_000_000));
  const compressed = bucketAt(
    await serve(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    }),
  );
  await t.rejects(compressed.read('a'), unreadable, 'however small it came');
});

t.test('refuses a file that is too long, before receiving it if its length is known', async (t) => {
  let sent = 0;
  const length = 100_000_000;
  const piece = Buffer.alloc(65_536);
  const send = (response: ServerResponse): void => {
    const go = (): void => {
      while (!response.destroyed && sent < length && response.write(piece)) sent += piece.length;
    };
    response.on('drain', go);
    go();
  };
  const long = bucketAt(
    await serve(t, (_request, response) => {
      response.writeHead(200, { 'content-length': length });
      send(response);
    }),
  );
  await t.rejects(long.read('a'), {
    code: 'retained_audio_unreadable',
    message: /more than 33554432 bytes/,
  });
  t.ok(sent < 33_554_432, `${sent} bytes were sent`);
  const away = bucketAt(
    await serve(t, (_request, response) => {
      response.writeHead(403, { 'content-length': length });
      send(response);
    }),
  );
  await t.rejects(away.read('a'), failed(/more than 33554432 bytes/), 'an error says nothing of the file');
});

t.test('renames a file by a copy in the bucket, and deletes it only after a confirmed copy', async (t) => {
  const asked: unknown[] = [];
  let answer = '';
  const bucket = bucketAt(
    await serve(t, ({ method, url, headers }, response) => {
      asked.push([method, url, headers['x-amz-copy-source']]);
      response.writeHead(answer === '' ? 404 : 200);
      response.end(answer || '<Error><Code>NoSuchKey</Code></Error>');
    }),
  );
  const copies = ['PUT', '/kept/audio/a%20b.failed', '/kept/audio/a%20b'];
  await bucket.move('a b', 'a b.failed');
  t.strictSame(asked.splice(0), [copies], 'nothing is removed when it is not there');
  for (const [body, why] of [
    ['<Error><Code>InternalError</Code></Error>', /HTTP 200 InternalError/],
    ['anything', /without a copy/],
  ] as const) {
    answer = body;
    await t.rejects(bucket.move('a b', 'a b.failed'), failed(why));
    t.strictSame(asked.splice(0), [copies], 'nor when it was not copied');
  }
  answer = '<CopyObjectResult><ETag>"1"</ETag></CopyObjectResult>';
  await bucket.move('a b', 'a b.failed');
  t.strictSame(asked, [copies, ['DELETE', '/kept/audio/a%20b', undefined]]);
});

t.test('aborts a slow answer after the time limit', async (t) => {
  const bucket = bucketAt(
    await serve(t, (_request, response) => {
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    }),
    1000,
  );
  await t.rejects(bucket.read('a'), failed(/./));
});

t.test('reports a missing file only if the answer says NoSuchKey', async (t) => {
  const says = (body: string) =>
    serve(t, (request, response) => {
      request.resume();
      response.writeHead(404).end(body);
    });
  const error = (code: string): string => `<Error><Code>${code}</Code></Error>`;
  const missing = bucketAt(await says(error('NoSuchKey')));
  t.equal(await missing.read('a'), undefined);
  await missing.remove('a');
  for (const [body, why] of [
    [error('NoSuchBucket'), /404 NoSuchBucket/],
    ['<html>no such page</html>', /HTTP 404/],
    ['', /HTTP 404/],
  ] as const) {
    const bucket = bucketAt(await says(body));
    await t.rejects(bucket.read('a'), failed(why), body);
    await t.rejects(bucket.remove('a'), failed(why), body);
    await t.rejects(bucket.write('a', Buffer.from('speech')), failed(why), body);
    await t.rejects(bucket.list(), failed(why), body);
  }
});

/** Returns the bytes that the heap uses after a garbage collection. */
const heapUsed = (): number => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
};

t.test('stores only the names of a listing, and limits them', async (t) => {
  const pages = 40;
  let page = 0;
  const padded = await serve(t, (_request, response) => {
    const token = ++page < pages ? `t${page}` : '';
    response.end(`${listing(token).replace('audio/a', `audio/${'n'.repeat(40)}`)}${' '.repeat(1_500_000)}`);
  });
  const before = heapUsed();
  const files = await bucketAt(padded).list();
  t.equal(files.length, pages);
  const grown = heapUsed() - before;
  t.ok(grown < 20_000_000, `${pages} pages of 1.5 MB leave ${grown} bytes`);
  const crowded = await serve(t, (_request, response) => {
    const file = '<Contents><Key>audio/a</Key><Size>3</Size></Contents>';
    response.end(`<ListBucketResult>${file.repeat(1001)}</ListBucketResult>`);
  });
  await t.rejects(bucketAt(crowded).list(), failed(/more names than requested/));
  const long = await serve(t, (_request, response) => response.end(' '.repeat(9_000_000)));
  await t.rejects(bucketAt(long).list(), failed(/more than 8388608 bytes/));
});

t.test('ends a listing of many slow pages', async (t) => {
  let asked = 0;
  const slow = await serve(t, (_request, response) => {
    setTimeout(() => response.end(listing(`t${asked++}`)), 80);
  });
  await t.rejects(bucketAt(slow, 100).list(), failed(/takes too long|aborted/));
  t.ok(asked < 30, `after ${asked} pages`);
});

t.test('refuses endless listings and files without a size', async (t) => {
  let page = 0;
  const endless = await serve(t, (_request, response) => response.end(listing(`t${page++}`)));
  await t.rejects(bucketAt(endless).list(), failed(/does not end/));
  t.equal(page, 1000);
  page = 0;
  const repeated = await serve(t, (_request, response) => {
    page++;
    response.end(listing('same'));
  });
  await t.rejects(bucketAt(repeated).list(), failed(/does not end/));
  t.equal(page, 2);
  for (const size of ['x', 'NaN', '-1', '1e400']) {
    const wrong = await serve(t, (_request, response) => response.end(listing('', size)));
    await t.rejects(bucketAt(wrong).list(), failed(/without a size/), size);
  }
});

const record = {
  user: 'ann',
  stream: 's',
  start: 0,
  end: 1,
  language: 'en',
  reason: 'queue_full',
  samples: 100,
  retained_at: new Date(0).toISOString(),
};

t.test('reports any damaged file as unreadable', (t) => {
  const pcm = Int16Array.from({ length: 16_000 }, (_, n) => 8000 * Math.sin(n / 5));
  const whole = encodeRetained(pcm, { ...record, samples: pcm.length });
  let unreadable = 0;
  for (let at = 0; at < whole.length; at += 7) {
    const damaged = Buffer.from(whole);
    damaged[at] = damaged[at]! ^ 0xff;
    damaged[(at * 31) % whole.length] = at & 0xff;
    for (const file of [damaged, whole.subarray(0, at)]) {
      try {
        decodeRetained(file, 'a');
      } catch (thrown) {
        if ((thrown as { code?: unknown }).code !== 'retained_audio_unreadable') throw thrown;
        unreadable++;
      }
    }
  }
  t.ok(unreadable > 100, `${unreadable} times`);
  t.end();
});

t.test('refuses to decode files of hours', (t) => {
  const hour = new Int16Array(3600 * 16_000);
  const long = { ...record, samples: hour.length };
  const tooLong = { code: 'retained_audio_unreadable', message: /longer than any/ };
  t.throws(() => readUnencoded(writeUnencoded(hour, long), 'a'), tooLong);
  const wav = Buffer.concat([Buffer.from('RIFF'.padEnd(44)), Buffer.from(hour.buffer)]);
  t.throws(() => readRetainedWav(wav, JSON.stringify(long), 'a'), tooLong);
  t.throws(() => readRetainedWav(wav, `${JSON.stringify(record)}${' '.repeat(100_000)}`, 'a'), {
    code: 'retained_audio_unreadable',
    message: /description is too long/,
  });
  // Packets of one byte. Each packet would decode to 20 ms.
  const packets = Array.from({ length: 7000 }, () => Uint8Array.of(0b01001_0_00));
  const file = writeOggOpus({
    packets,
    packetLength: 960,
    preSkip: 312,
    length: 960 * packets.length,
    inputRate: 16_000,
    comments: [`COCHLEA_RECORD=${JSON.stringify(record)}`],
  });
  t.throws(() => decodeRetained(file, 'a'), {
    code: 'retained_audio_unreadable',
    message: /longer than any/,
  });
  t.throws(() => decodeRetained(Buffer.alloc(2_000_000), 'a'), { message: /more than 1048576 bytes/ });
  t.end();
});

t.test('lists no files of subfolders', async (t) => {
  const asked: URLSearchParams[] = [];
  const bucket = bucketAt(
    await serve(t, (request, response) => {
      asked.push(new URL(request.url!, 'http://any').searchParams);
      const file = (name: string) => `<Contents><Key>${name}</Key><Size>3</Size></Contents>`;
      response.end(
        `<ListBucketResult>${['audio/a', 'audio/photos/b', 'audiobook'].map(file).join('')}
        <CommonPrefixes><Prefix>audio/photos/</Prefix></CommonPrefixes></ListBucketResult>`,
      );
    }),
  );
  t.same(await bucket.list(), [{ name: 'a', size: 3 }]);
  t.equal(asked.length, 1);
  t.equal(asked[0]!.get('prefix'), 'audio/');
  t.equal(asked[0]!.get('delimiter'), '/');
});

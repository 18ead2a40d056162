/** Tests the user client against a service that fails, sends wrong data, or attacks the user's terminal. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { retryAfter, waitBefore } from '../../src/cli/api/retry-wait.js';
import { type Answer, json, key, startFake } from './fake-service.js';

/** Escape sequences that set a title, clear the screen, write the clipboard, and reverse the direction of text. */
const attack =
  '\u001b]0;owned\u0007\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u009b31mred\u202eexe.txt\r\n\u0000end';
// biome-ignore lint/suspicious/noControlCharactersInRegex: this expression searches for control characters
const controls = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e]|\u001b(?!\[(1|22)m)/;

t.test('removes control characters from texts of the service', async (t) => {
  const { ask } = await startFake(t);
  const row = { id: attack, content: attack, tags: [attack], [attack]: attack, created_at: attack };
  const cases: readonly (readonly [string[], Answer])[] = [
    [['memory', 'list'], json([row])],
    [['memory', 'get', 'x'], json(row)],
    [['--json', 'memory', 'get', 'x'], json(row)],
    [['memory', 'list', '--jsonl'], json([row])],
    [['memory', 'get', 'x'], json({ detail: attack }, {}, 404)],
    [['memory', 'get', 'x'], json({ detail: [{ loc: [attack], msg: attack }] }, {}, 422)],
    [['--json', 'memory', 'get', 'x'], json({ detail: attack }, {}, 400)],
    [
      ['conversation', 'get', 'x'],
      json({ structured: { title: attack, action_items: [row] }, transcript_segments: [] }),
    ],
    [['ask', 'what'], json({ answer: attack, sources: [{ title: attack, id: attack }] })],
    [['auth', 'whoami'], json({ key_prefix: attack, name: attack, scopes: [attack] })],
  ];
  for (const [words, answer] of cases) {
    const { out, err } = await ask(words, answer);
    t.match(out + err, 'end', words.join(' '));
    t.notMatch(out + err, controls, words.join(' '));
  }
  const { out } = await ask(['--json', 'memory', 'get', 'x'], json(row));
  t.same(JSON.parse(out), row, 'JSON output keeps the text');
});

t.test('sends the key to no other address, and warns without encryption', async (t) => {
  const service = await startFake(t);
  const other = await startFake(t);
  for (const status of [301, 302, 303, 307, 308]) {
    const to = (_request: IncomingMessage, response: ServerResponse): void => {
      response.writeHead(status, { location: `http://127.0.0.1:${other.port}/v1/dev/user/memories` }).end();
    };
    const { code, err } = await service.ask(['memory', 'list'], to);
    t.equal(code, 3);
    t.match(err, /redirect/);
  }
  t.equal(other.seen.length, 0);
  const exposed = await service.ask(['memory', 'list'], json([]), `http://0.0.0.0:${service.port}`);
  t.match(exposed.err, /not encrypted/);
  const loopback = await service.ask(['-v', 'memory', 'list'], json([]));
  t.notMatch(loopback.err, /not encrypted/);
  t.notMatch(loopback.err, key);
  t.match(loopback.err, /GET \/v1\/dev\/user\/memories\?limit=25 -> 200/);
});

t.test('limits the size of answers and lists', async (t) => {
  const { ask, seen } = await startFake(t);
  const packed = gzipSync(Buffer.alloc(65 * 1024 * 1024, 0x20));
  const large = await ask(['memory', 'list'], (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed);
  });
  t.equal(large.code, 3);
  t.match(large.err, /larger than 64 MiB/);
  // Lists with three faults: the same cursor repeatedly, empty pages, and pages larger than requested.
  const same = await ask(
    ['memory', 'list', '--all', '--jsonl'],
    json([{ id: 'a' }], { 'x-next-cursor': 'c' }),
  );
  t.equal(same.out.trim().split('\n').length, 2);
  const empty = await ask(['memory', 'list', '--all'], json([], { 'x-next-cursor': 'c' }));
  t.match(empty.out, 'no results');
  t.equal(seen.length, 1);
  const many = await ask(
    ['memory', 'list', '--limit', '2', '--jsonl'],
    json([{ id: 1 }, { id: 2 }, { id: 3 }]),
  );
  t.equal(many.out.trim().split('\n').length, 2);
});

t.test('answers with a wrong shape are reported as errors', async (t) => {
  const { ask } = await startFake(t);
  const text: Answer = (_request, response) => void response.writeHead(200).end('<html>Welcome</html>');
  for (const [words, answer] of [
    [['memory', 'list'], text],
    [['memory', 'list'], json({ memories: [] })],
    [['memory', 'list'], json([null])],
    [['memory', 'get', 'x'], json(null)],
    [['goal', 'get', 'x'], json('goal')],
    [['memory', 'search', 'x'], json({ items: 7 })],
    [['conversation', 'get', 'x'], json({ structured: { action_items: 7, events: 'e' } })],
  ] as [string[], Answer][]) {
    const { code, out, err } = await ask(['--json', ...words], answer);
    if (code === 0) continue;
    t.equal(code, 3, words.join(' '));
    t.equal(out, '');
    t.type((JSON.parse(err) as { error: string }).error, 'string');
  }
  const nested = await ask(
    ['conversation', 'get', 'x'],
    json({ structured: { action_items: 7, events: 'e' } }),
  );
  t.ok([0, 3].includes(nested.code));
});

t.test('repeats a request only if a repetition cannot change data twice', async (t) => {
  const { ask, seen } = await startFake(t);
  const cutFirst =
    (then: Answer): Answer =>
    (request, response, turn) =>
      turn === 1 ? void request.socket.destroy() : then(request, response, turn);
  const created = await ask(['memory', 'create', 'x'], cutFirst(json({ id: 'made' })));
  t.equal(created.code, 0, created.err);
  t.equal(seen.length, 2);
  t.ok(seen[0]!.headers['idempotency-key']);
  t.equal(seen[0]!.headers['idempotency-key'], seen[1]!.headers['idempotency-key']);
  const read = await ask(['memory', 'get', 'x'], cutFirst(json({ id: 'x' })));
  t.equal(read.code, 0);
  for (const words of [
    ['memory', 'update', 'x', '--content', 'y'],
    ['memory', 'delete', 'x', '-y'],
  ]) {
    const { code, err } = await ask(words, cutFirst(json({})));
    t.equal(code, 3);
    t.match(err, /It may have been executed/);
    t.equal(seen.length, 1);
    const failing = await ask(words, json({ detail: 'x' }, {}, 500));
    t.equal(failing.code, 3);
    t.equal(seen.length, 1);
    const limited = await ask(words, (request, response, turn) =>
      turn === 1
        ? json({ detail: 'slow down' }, { 'retry-after': '1' }, 429)(request, response, turn)
        : json({})(request, response, turn),
    );
    t.equal(limited.code, 0, limited.err);
    t.equal(seen.length, 2);
  }
  const long = await ask(['memory', 'list'], json({ detail: 'enough' }, { 'retry-after': '3600' }, 429));
  t.equal(long.code, 4);
  t.equal(seen.length, 1);
  t.match(long.err, /Try again in 3600 s/);
});

t.test('the wait before a repetition follows Retry-After or grows with each attempt', async (t) => {
  const now = Date.parse('2026-03-01T10:00:00Z');
  for (const [header, seconds] of [
    ['7', 7],
    ['0', null],
    ['-5', null],
    ['soon', null],
    [null, null],
    ['Sun, 01 Mar 2026 10:00:30 GMT', 30],
    ['Sun, 01 Mar 2026 09:00:30 GMT', null],
  ] as const)
    t.equal(retryAfter(header, now), seconds, String(header));
  t.equal(waitBefore(1, '60'), 60_000);
  t.equal(waitBefore(1, '61'), null);
  for (const [attempt, most] of [
    [1, 500],
    [2, 1000],
    [3, 2000],
    [9, 8000],
  ] as const) {
    const wait = waitBefore(attempt, null)!;
    t.ok(wait >= most / 2 && wait <= most, `${attempt}: ${wait}`);
  }
});

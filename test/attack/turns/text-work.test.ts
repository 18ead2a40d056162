/**
 * Tests texts and bodies within the limits that cause the most work. The sidecar's thread must stay responsive, users
 * must take turns, and the work must be bounded.
 */
import fc from 'fast-check';
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import type { CochleaError } from '../../../src/errors/cochlea-error.js';
import { createLogger } from '../../../src/log/logger.js';
import { textAsSegment } from '../../../src/service/conversations/text-conversations.js';
import { readJson } from '../../../src/service/text/read-json.js';
import { rulesHere } from '../../../src/service/text/text-rules.js';
import { createTextThread } from '../../../src/service/text/text-thread.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { testDatabaseUrl } from '../../support/database/database.js';
import { threadBlocks, watchedThread } from '../../support/memory/thread-blocks.js';
import { until } from '../../support/until.js';
import { startTarget } from '../support/target.js';

const log = createLogger('test', 'silent');

const transcript = (texts: readonly string[]) => ({
  id: 'c',
  language: 'en',
  startedAt: new Date('2026-03-02T09:00:00Z'),
  segments: texts.map(textAsSegment),
  timeZone: 'Europe/Berlin',
});

const filled = (phrase: string, length: number): string =>
  phrase.repeat(Math.ceil(length / phrase.length)).slice(0, length);

/** Texts for which the rules need the most time. Each key describes its text. */
const costly: Readonly<Record<string, string>> = {
  'dates without an end': 'meeting tomorrow at five or on friday the 12th of may between 3 and 4 ',
  'one sentence of tasks': 'and i have to call the bank tomorrow so ',
  statements: "My name is Anna and I love hiking, i'm a nurse and my mother Anna works in Oslo. ",
  'statements that break off':
    'i am i am i am, i prefer, my favourite aaa bbb ccc ddd, i usually go i usually ',
  'tiny sentences': 'A. B? C! ',
  'tiny lines': 'a\n',
  names: 'Anna Berta Clara Dora Emma ',
  commas: ',',
  dashes: '-–— ',
  'words said again': 'the the, the the… a a a b b b ',
  numbers: '1 2 3 12:30 4/5/2026 ',
  'another script': '私は東京に住んでいます。明日会議があります',
};

const processorTime = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

t.test("no text within the limits blocks the sidecar's thread", { timeout: 240_000 }, async (t) => {
  const port = await freePort();
  const url = await testDatabaseUrl(t);
  const target = await startTarget(t, { COCHLEA_STT: 'discard', DATABASE_URL: url, ...watchedThread(port) });
  const blocks = await threadBlocks(port);
  const sql = connectDatabase(url, { max: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  const { key, token } = target.attacker;
  const answerTo = async (path: string, body: string | null, method: string): Promise<Response> => {
    const answer = await fetch(`${target.service.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${path.startsWith('/v1/dev/') ? key : token}`,
        'content-type': 'application/json',
      },
      body,
    });
    return new Response(await answer.text(), { status: answer.status });
  };
  const send = async (path: string, body: string | null, method = 'POST'): Promise<number> =>
    (await answerTo(path, body, method)).status;
  const settled = (): Promise<unknown> =>
    until(async () => {
      const [row] = await sql<{ left: number }[]>`
        select count(*)::integer as left from steps where state = 'waiting' and conversation_id is not null`;
      return row!.left === 0 || undefined;
    }, 'the steps of all conversations are done');
  const check = async (name: string, action: () => Promise<unknown>): Promise<void> => {
    const { ratio, ms } = await blocks.during(action);
    t.comment(`${name}: ${ms.toFixed(1)} ms, ${ratio.toFixed(2)} reference loops`);
    t.ok(ratio < 1, `${name}: less than the reference loop (${ratio.toFixed(2)})`);
  };
  const fromSegments = (segments: readonly string[]): string =>
    JSON.stringify({
      transcript_segments: segments.map((text) => ({ text, start: 0, end: 4, is_user: true })),
    });
  const path = '/v1/dev/user/conversations/from-segments';
  // A first request compiles the code, so that compilation does not count in the measurement.
  t.equal(await send(path, fromSegments(['I have to call the bank tomorrow.'])), 200);
  const bodies: Record<string, readonly [path: string, status: number, body: string]> = {
    ...Object.fromEntries(
      Object.entries(costly)
        .slice(0, 4)
        .map(([name, phrase]) => [
          name,
          [path, 200, fromSegments(Array.from({ length: 20 }, () => filled(phrase, 18_000)))],
        ]),
    ),
    'many values': [path, 422, `{"transcript_segments":[${'{},'.repeat(1_000_000)}{}]}`],
    'deep values': [path, 422, `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
    'many keys': ['/v1/dev/user/memories', 422, `{${filled('"a":{},', 999_000)}"b":1}`],
  };
  for (const [name, [url, status, body]] of Object.entries(bodies)) {
    await check(name, async () => t.equal(await send(url, body), status, name));
  }
  await settled();

  // Sends the largest bodies to the routes, and waits for the background work that follows.
  const say = 'I have to call the bank tomorrow. ';
  const largest = (count: number, phrase: string, length: number): string =>
    fromSegments(Array.from({ length: count }, () => filled(phrase, length)));
  let long = '';
  await check('4 MB of plain text', async () => {
    const answer = await answerTo(path, largest(208, say, 19_900), 'POST');
    t.equal(answer.status, 200);
    long = ((await answer.json()) as { id: string }).id;
    await settled();
  });
  await check('it is read, and processed again', async () => {
    t.equal(await send(`/v1/dev/user/conversations/${long}?include_transcript=true`, null, 'GET'), 200);
    t.equal(await send('/v1/dev/user/conversations?include_transcript=true', null, 'GET'), 200);
    t.equal(await send(`/v1/conversations/${long}/reprocess`, '{}'), 200);
    await settled();
  });
  await check('4 MB in as many segments as there may be', async () => {
    t.equal(await send(path, largest(500, say, 8000)), 200);
    await settled();
  });
  await check('4 MB of emoji', async () => {
    t.equal(await send(path, largest(51, '😀', 40_000)), 200);
    await settled();
  });
  await check('4 MB of letters with two bytes', async () => {
    t.equal(await send(path, largest(205, 'ä ü', 9900)), 200);
    await settled();
  });
  await check('4 MB of blanks', async () => t.equal(await send(path, largest(100, ' ', 41_000)), 422));
  await check('questions about them', async () => {
    t.equal(await send('/v1/dev/user/ask', '{"question":"When do I have to call the bank?"}'), 200);
    t.equal(await send('/v2/messages', '{"text":"When do I have to call the bank?"}'), 200);
  });
  const batch = (field: string, count: number, item: object): string =>
    JSON.stringify({ [field]: Array.from({ length: count }, () => item) });
  const words = filled('hello garden 12 ', 9900);
  await check('batches and long texts', async () => {
    t.equal(await send('/v1/posts/batch', batch('posts', 100, { kind: 'tweet', text: words })), 200);
    const seen = { app_name: 'Editor', ocr_text: words };
    t.equal(await send('/v1/screen-activity/batch', batch('screen_activity', 100, seen)), 200);
    const message = { sender: 'human', text: words };
    t.equal(await send('/v1/chat/messages/batch', batch('messages', 100, message)), 200);
    const memory = { content: filled('I love hiking. ', 500), tags: ['a', 'b'] };
    t.equal(await send('/v1/dev/user/memories/batch', batch('memories', 25, memory)), 200);
    const item = { description: filled('Call the bank ', 500), due_at: '2026-03-02T09:30:00Z' };
    t.equal(await send('/v1/dev/user/action-items/batch', batch('action_items', 50, item)), 200);
    const text = JSON.stringify({ text: filled(say, 100_000) });
    t.equal(await send('/v1/dev/user/conversations', text), 200);
    await settled();
  });
  await check('single fields of 1 MB', async () => {
    const blanks = filled(' ', 1_000_000);
    t.equal(await send('/v1/users/settings', JSON.stringify({ name: blanks }), 'PATCH'), 200);
    t.equal(await send(`/v1/dev/user/conversations/${long}`, `{"title":"a${blanks}b"}`, 'PATCH'), 422);
    const profile = JSON.stringify({ profile_text: filled('😀', 500_000) });
    t.equal(await send('/v1/users/profile', profile, 'PUT'), 422);
    const due = JSON.stringify({ description: 'x', due_at: filled('2026-03-02T00:00:00+0000', 1_000_000) });
    t.equal(await send('/v1/dev/user/action-items', due), 422);
  });
});

t.test('the rules read a bounded part of a long text', async (t) => {
  await rulesHere.extract(transcript(['I have to call the bank tomorrow.']), 'ann');
  for (const [name, phrase] of Object.entries(costly).slice(0, 3)) {
    const work = (length: number) => async (): Promise<void> => {
      const given = transcript(Array.from({ length: length / 20_000 }, () => filled(phrase, 20_000)));
      await rulesHere.extract(given, 'ann');
      await rulesHere.memories(given, 'ann');
      await rulesHere.relevance(given, 'ann');
      await rulesHere.progress(given, [{ id: 'g', title: 'Run far', unit: 'km' }], 'ann');
    };
    const once = Math.max(await processorTime(work(fixedLimits.ruledText.value)), 40_000);
    const often = await processorTime(work(4 * fixedLimits.ruledText.value));
    t.ok(
      often < 2 * once,
      `${name}: four times the length takes ${(often / once).toFixed(1)} times the CPU time`,
    );
  }
});

t.test('the rules give the same results in a thread', async (t) => {
  const thread = createTextThread({ log });
  t.teardown(() => thread.close());
  const given = transcript([
    "I'm allergic to nuts. I have to call the bank tomorrow at nine.",
    'My daughter Lena started school. I ran 5 km this morning.',
  ]);
  t.same(await thread.rules.extract(given, 'ann'), await rulesHere.extract(given, 'ann'));
  t.same(await thread.rules.memories(given, 'ann'), await rulesHere.memories(given, 'ann'));
  t.same(await thread.rules.relevance(given, 'ann'), await rulesHere.relevance(given, 'ann'));
  const goals = [{ id: 'g', title: 'Run', unit: 'km' }];
  t.same(await thread.rules.progress(given, goals, 'ann'), await rulesHere.progress(given, goals, 'ann'));
  const bytes = new Uint8Array(Buffer.from('{"a":[1,{"__proto__":{"b":2}}]}'));
  t.same(await thread.readJson(bytes, 'ann'), { value: { a: [1, {}] } });
  t.equal(bytes.length, 0, 'the thread takes over the memory of the bytes');
});

const stubborn = new URL('../support/stubborn-worker.js', import.meta.url);
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: CochleaError) => error.code,
  );

t.test('users take turns, tasks are limited, and endless work is ended', async (t) => {
  const thread = createTextThread({ log, module: stubborn, timeout: 3000 });
  t.teardown(() => thread.close());
  const order: string[] = [];
  const task = (uid: string, text = 'quick'): Promise<string> =>
    codeOf(thread.rules.memories(transcript([text]), uid).then(() => order.push(uid)));
  const mine = fixedLimits.textTasksPerUser.value;
  const many = Array.from({ length: mine }, () => task('many'));
  t.equal(await task('many'), 'texts_full', 'one more task of the user is refused');
  const others = ['ann', 'bob'].map((uid) => task(uid));
  await Promise.all([...many, ...others]);
  t.ok(order.indexOf('bob') <= 4, `another user comes early: ${order.slice(0, 8)}`);

  const crowd = Array.from({ length: fixedLimits.textTasks.value }, (_, n) => task(`user ${n}`));
  t.equal(await task('late'), 'texts_full', 'one more task in total is refused');
  await Promise.all(crowd);

  const endless = task('attacker', 'endless');
  const next = task('ann');
  t.equal(await endless, 'text_given_up');
  t.equal(await next, 'done', 'the thread has restarted');

  const ends: string[] = [];
  const long = codeOf(
    thread.rules
      .memories(transcript(['endless', 'x'.repeat(70_000)]), 'attacker')
      .finally(() => ends.push('long')),
  );
  const short = task('ann').finally(() => ends.push('short'));
  t.same(await Promise.all([long, short]), ['text_given_up', 'done']);
  t.same(ends, ['short', 'long'], 'a short text does not wait for a long one');

  const under = task('attacker', 'endless');
  await thread.close();
  t.equal(await under, 'shutdown');
});

t.test('readJson matches JSON.parse, and refuses too many or too deep values', (t) => {
  const encode = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const expected = JSON.parse(text, function (this: unknown, key, value) {
        return key === '__proto__' ? undefined : value;
      });
      t.same(readJson(encode(text)), { value: expected });
    }),
    { numRuns: 200 },
  );
  const { value: most } = fixedLimits.jsonValues;
  t.ok('value' in readJson(encode(`[${'1,'.repeat(most - 2)}1]`)), 'the maximum number of values');
  t.same(readJson(encode(`[${'1,'.repeat(most - 1)}1]`)), { refused: 'json_too_many_values' });
  const nested = (levels: number) => encode(`${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`);
  const { value: deepest } = fixedLimits.jsonDepth;
  t.ok('value' in readJson(nested(deepest)), 'the maximum depth');
  t.same(readJson(nested(deepest + 2)), { refused: 'json_too_deep' });
  t.same(readJson(encode('[1')), { refused: 'json_invalid' });
  t.same(readJson(encode('{"constructor":{"prototype":1},"a":1}')), { value: { a: 1 } });
  t.end();
});

/** Tests the memory that large answers share, and that answers in parts have the same content as whole answers. */
import t from 'tap';
import type { CochleaError } from '../../../src/errors/cochlea-error.js';
import { AnswerMemory, type AnswerShare } from '../../../src/sidecar/answers/answer-memory.js';
import { conversations, startApi } from '../support.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Makes a budget of 100 bytes, 40 per user. `begun` lists the requests that got memory. `wait` is the longest wait in
 * ms.
 */
const scene = (wait?: number) => {
  const memory = new AnswerMemory({ most: 100, mostOfUser: 40, ...(wait !== undefined && { wait }) });
  const begun: string[] = [];
  const refused: string[] = [];
  const shares = new Map<string, AnswerShare>();
  const take = async (uid: string, bytes: number, name: string): Promise<void> => {
    try {
      shares.set(name, await memory.take(uid, bytes));
      begun.push(name);
    } catch (error) {
      refused.push(`${name} ${(error as CochleaError).code}`);
    }
  };
  return { memory, begun, refused, take, end: (name: string) => shares.get(name)!.release() };
};

t.test('a user over the bound per user waits, and other users do not', async (t) => {
  const { memory, begun, take, end } = scene();
  for (const name of ['a1', 'a2', 'a3']) void take('ann', 20, name);
  void take('ben', 40, 'b1');
  await settled();
  t.same(begun, ['a1', 'a2', 'b1']);
  t.equal(memory.held, 80);
  end('a1');
  end('a1');
  await settled();
  t.same(begun, ['a1', 'a2', 'b1', 'a3'], 'releasing twice returns the memory once');
  for (const name of ['a2', 'a3', 'b1']) end(name);
  t.equal(memory.held, 0);
});

t.test('a request over the bound per user gets the whole bound', async (t) => {
  const { memory, begun, take, end } = scene();
  void take('ann', 1_000_000, 'a1');
  void take('ann', 1, 'a2');
  await settled();
  t.same([begun, memory.held], [['a1'], 40]);
  end('a1');
  await settled();
  t.same([begun, memory.held], [['a1', 'a2'], 1]);
});

t.test('users take turns at the common bound, and small requests do not overtake large ones', async (t) => {
  const { begun, take, end } = scene();
  for (const [uid, name] of [
    ['ann', 'a1'],
    ['ben', 'b1'],
  ] as const)
    void take(uid, 40, name);
  void take('eva', 20, 'e1');
  for (const name of ['x1', 'x2']) void take('xan', 30, name);
  void take('zoe', 5, 'z1');
  await settled();
  t.same(begun, ['a1', 'b1', 'e1'], 'the budget is full');
  end('e1');
  await settled();
  t.same(begun, ['a1', 'b1', 'e1'], 'the small request waits behind the large one');
  end('a1');
  await settled();
  t.same(
    begun,
    ['a1', 'b1', 'e1', 'x1', 'z1'],
    'another user comes before the second request of the same user',
  );
});

t.test('a request that waits too long is refused with its reason', async (t) => {
  const { refused, take } = scene(20);
  void take('ann', 40, 'a1');
  const user = take('ann', 1, 'a2');
  void take('ben', 40, 'b1');
  void take('eva', 20, 'e1');
  await Promise.all([user, take('zoe', 1, 'z1')]);
  t.same(refused, ['a2 answers_limited', 'z1 answers_full']);
});

t.test(
  'an answer that is counted after it was made may exceed the bound, and other users wait',
  async (t) => {
    const { memory, begun, take } = scene();
    const share = memory.count('ann', 90);
    void take('ann', 10, 'a1');
    void take('ben', 20, 'b1');
    await settled();
    t.same(begun, []);
    share.resize(10);
    await settled();
    t.same(begun, ['a1', 'b1']);
  },
);

t.test('content of answers in parts', async (t) => {
  const api = await startApi(t);
  const { uid, key, token } = await api.person(
    ['conversations:read', 'conversations:write', 'memories:read', 'action_items:read', 'goals:read'],
    'Ann Example',
  );
  const { sql } = api;
  /**
   * Returns an SQL expression for a row's text. Every hundredth text has 27,000 characters, and all contain characters
   * that JSON escapes.
   */
  const text = (number: string) =>
    `'said ' || ${number} || repeat(E'"\\n\\u00e9', case when ${number} % 100 = 0 then 9000 else 3 end)`;
  const made = [30, 1300, 1, 0, 2700].map((segments, index) => ({
    segments,
    id: `0000000${index}-0000-4000-8000-000000000000`,
  }));
  for (const [index, { segments, id }] of made.entries()) {
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at)
      values (${id}, ${uid}, 'completed', 'omi', now() - ${index}::integer * interval '1 hour', now())`;
    await sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
      select n::text, ${id}::text::uuid, n / 3, 1, ${sql.unsafe(text('n'))}, 'SPEAKER_00', n % 3, n % 7 = 0, n, n + 1
      from generate_series(1, ${segments}::integer) as n`;
  }
  const positions = (segments: number): string[] =>
    Array.from({ length: segments }, (_, index) => index + 1)
      .sort(
        (one, other) => Math.floor(one / 3) - Math.floor(other / 3) || (String(one) < String(other) ? -1 : 1),
      )
      .map(String);

  t.test('a page of conversations has every segment in order', async (t) => {
    for (const [limit, parts] of [
      [5, true],
      [1, false],
    ] as const) {
      const { body, headers, status } = await api.call(
        `${conversations}?include_transcript=true&limit=${limit}`,
        {
          credential: key,
        },
      );
      t.equal(status, 200);
      t.equal(headers.get('transfer-encoding') === 'chunked', parts, `limit ${limit}`);
      t.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      t.equal(headers.has('x-next-cursor'), limit < made.length);
      t.same(
        body.map((one: { id: string }) => one.id),
        made.slice(0, limit).map(({ id }) => id),
      );
      for (const [index, { transcript_segments: segments }] of body.entries()) {
        t.same(
          segments.map(({ id }: { id: string }) => id),
          positions(made[index]!.segments),
          `segments of conversation ${index}`,
        );
      }
    }
  });

  t.test('a single conversation equals the same conversation of a page', async (t) => {
    const { body: page } = await api.call(`${conversations}?include_transcript=true`, { credential: key });
    for (const [index, { id }] of made.entries()) {
      const path = `${conversations}/${id}?include_transcript=true`;
      for (let round = 0; round < 2; round++) {
        t.same((await api.call(path, { credential: key })).body, page[index], `conversation ${index}`);
      }
    }
    const { body: changed } = await api.call(`${conversations}/${made[4]!.id}`, {
      method: 'PATCH',
      credential: key,
      body: { starred: true },
    });
    t.same(changed, { ...page[4], starred: true }, 'the answer to a change, too');
    t.match(page[4].transcript_segments[6], { speaker_name: 'Ann Example' });
    const stranger = await api.person();
    for (const path of [`${conversations}/${made[4]!.id}?include_transcript=true`]) {
      t.equal((await api.call(path, { credential: stranger.key })).status, 404);
    }
  });

  t.test('a page contains a conversation with long fields', async (t) => {
    const structured = {
      title: 'x'.repeat(300_000),
      overview: '',
      emoji: '',
      category: 'other',
      action_items: [],
      events: [],
    };
    await sql`update conversations set structured = ${sql.json(structured)} where id = ${made[1]!.id}`;
    const { body } = await api.call(conversations, { credential: key });
    t.same(
      body.map((one: { id: string }) => one.id),
      made.map(({ id }) => id),
    );
    t.equal(body[1].structured.title.length, 300_000);
    const filtered = await api.call(`${conversations}?starred=false`, { credential: key });
    t.same(filtered.body, body.slice(0, 4));
  });

  t.test('a large page of other records equals its small pages', async (t) => {
    await sql`
      insert into chat_messages (id, uid, sender, type, text, created_at)
      select n::text, ${uid}, 'human', 'text', ${sql.unsafe(text('n'))}, now() - n * interval '1 minute' from generate_series(1, 600) as n`;
    await sql`
      insert into memories (id, uid, content, category, visibility, tags, manually_added, reviewed, edited, scoring, created_at, updated_at)
      select gen_random_uuid(), ${uid}, ${sql.unsafe(text('n'))}, 'other', 'private', array['a', repeat('b', 1000)], true, true, false, '01_' || n, now(), now()
      from generate_series(1, 600) as n`;
    await sql`
      insert into action_items (id, uid, description, completed, created_at, updated_at)
      select gen_random_uuid(), ${uid}, ${sql.unsafe(text('n'))}, n % 2 = 0, now() - n * interval '1 minute', now()
      from generate_series(1, 600) as n`;
    await sql`
      insert into goals (id, uid, title, desired_outcome, success_criteria, status, source, created_at, updated_at)
      select 'goal_' || lpad(n::text, 12, '0'), ${uid}, 'Read', ${sql.unsafe(text('n'))}, array[repeat('c', 2000)], 'paused', 'user', now() - n * interval '1 minute', now()
      from generate_series(1, 600) as n`;
    for (const [path, credential, most, small] of [
      ['/v1/chat/messages?', token, 500, 7],
      ['/v1/dev/user/memories?', key, 1000, 25],
      ['/v1/dev/user/action-items?', key, 1000, 250],
      ['/v1/dev/user/goals?include_inactive=true&', key, 1000, 10],
    ] as const) {
      const large = await api.call(`${path}limit=${most}`, { credential });
      t.equal(large.headers.get('transfer-encoding'), 'chunked', path);
      const rows: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null && rows.length < most; ) {
        const page = await api.call(`${path}limit=${small}${cursor && `&cursor=${cursor}`}`, { credential });
        rows.push(...page.body);
        cursor = page.headers.get('x-next-cursor');
      }
      t.equal(large.body.length, Math.min(most, 600));
      t.same(large.body, rows.slice(0, most), `${path} equals the small pages`);
      t.equal(large.headers.has('x-next-cursor'), most < 600, `${path} has a cursor if more rows follow`);
    }
  });
});

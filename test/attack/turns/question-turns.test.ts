/**
 * Questions and searches take database connections in turns between users. They read only the part of a long
 * conversation that they compare with the question.
 */
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { connectDatabase } from '../../../src/store/client/database.js';
import { leastCounted, saidTexts } from '../../../src/store/pieces/said-texts.js';
import { assistant } from '../../sidecar/mcp/tool-support.js';
import { type Api, startApi } from '../../sidecar/support.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';

/** Maximum number of concurrent questions of one user in a sidecar. */
const ofUser = 4;
/** Time in ms within which a request that does not wait is answered. */
const soon = 4000;

/** Takes a lock that blocks every search. @returns a function that releases the lock. */
const heldSearches = async (t: Test, { url }: Api) => {
  const sql = connectDatabase(url, { max: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const holding = sql.begin(async (transaction) => {
    await transaction`lock table search_texts in access exclusive mode`;
    begin();
    await ended;
  });
  await begun;
  return async () => {
    end();
    await holding;
  };
};

/** Returns the number of connections whose statement waits for the lock of `heldSearches`. */
const waiting = async ({ sql }: Api): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row!.count;
};

t.test('searches that wait for the database', async (t) => {
  const api = await startApi(t);
  const [ann, ben] = [await api.person(), await api.person()];
  const honest = await api.person(['memories:read']);
  const questions: Readonly<Record<string, (person: typeof ann) => Promise<{ readonly status: number }>>> = {
    questions: ({ key }) =>
      api.call('/v1/dev/user/ask', { credential: key, body: { question: 'Where is the key?' } }),
    'messages of chats': ({ token }) =>
      api.call('/v2/messages', {
        credential: token,
        body: { text: 'Where is the key?' },
        headers: { accept: 'application/json' },
      }),
  };
  for (const [name, ask] of Object.entries(questions)) {
    await t.test(`${name} of two users leave connections to others`, async (t) => {
      const release = await heldSearches(t, api);
      const asked = [ann, ben].flatMap((person) => Array.from({ length: ofUser }, () => ask(person)));
      await until(async () => (await waiting(api)) >= 5, 'the searches wait');
      const answered = api.call('/v1/dev/user/memories', { credential: honest.key });
      const status = await Promise.race([answered.then(({ status }) => status), wait(soon, 'late')]);
      const most = await waiting(api);
      await release();
      t.equal(status, 200, 'another user is answered during the wait');
      t.equal(most, 5, 'connections remain for other operations');
      t.same(new Set((await Promise.all(asked)).map((answer) => answer.status)), new Set([200]));
      await answered;
    });
  }

  await t.test('the tool `search` uses one connection', async (t) => {
    const { call } = await assistant(api);
    const release = await heldSearches(t, api);
    const searched = call('search', { query: 'key' });
    await until(async () => (await waiting(api)) > 0, 'the search waits');
    await wait(100);
    const most = await waiting(api);
    await release();
    t.equal(most, 1);
    t.same((await searched).results, []);
  });
});

t.test('reads the beginning of each conversation up to a number of characters', async (t) => {
  const { sql } = await testDatabase(t);
  await createUser(sql, { uid: 'ann', name: 'Ann' });
  const made = { few: 3, many: 400, none: 0 };
  const ids = new Map<string, string>();
  for (const [name, segments] of Object.entries(made)) {
    const [row] = await sql<{ id: string }[]>`
      insert into conversations (id, uid, status, source, created_at, last_speech_at)
      values (gen_random_uuid(), 'ann', 'completed', 'omi', now(), now()) returning id`;
    ids.set(name, row!.id);
    await sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds, deleted)
      select n::text, ${row!.id}, n, 1, n || repeat('x', n % 50), 'SPEAKER_00', 0, false, n, n + 1, n % 3 = 0
      from generate_series(1, ${segments}::integer) as n`;
  }
  const all = (name: keyof typeof made): string[] =>
    Array.from({ length: made[name] }, (_, index) => index + 1)
      .filter((n) => n % 3 !== 0)
      .map((n) => `${n}${'x'.repeat(n % 50)}`);
  for (const characters of [20, 1000, 100_000]) {
    const found = await saidTexts(sql, [...ids.values()], characters);
    for (const name of ['few', 'many', 'none'] as const) {
      let left = characters;
      const expected = all(name).filter((text) => {
        const isRead = left > 0;
        left -= Math.max(leastCounted, text.length);
        return isRead;
      });
      t.same(found.get(ids.get(name)!), expected, `${characters} characters of ${name}`);
    }
  }
});

t.test('a question reads only a part of long conversations', async (t) => {
  const api = await startApi(t);
  const { sql } = api;
  const people = { short: await api.person(), long: await api.person() };
  const structured = {
    title: 'Key',
    overview: 'A key was lost.',
    emoji: '',
    category: 'other',
    action_items: [],
    events: [],
  };
  for (const [name, segments] of [
    ['short', 60],
    ['long', 2400],
  ] as const) {
    const { uid } = people[name];
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured)
      select gen_random_uuid(), ${uid}, 'completed', 'omi', now() - n * interval '1 hour', now(), ${sql.json(structured)}
      from generate_series(1, 10) as n`;
    await sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
      select n::text, c.id, n, 1, repeat('words ', 330), 'SPEAKER_00', 0, false, n, n + 1
      from conversations c, generate_series(1, ${segments}::integer) as n where c.uid = ${uid}`;
  }
  const cpuOf = async (name: keyof typeof people): Promise<number> => {
    const before = process.cpuUsage();
    const { status, body } = await api.call('/v1/dev/user/ask', {
      credential: people[name].key,
      body: { question: 'Where is the key?', limit: 10 },
    });
    t.equal(status, 200);
    t.ok(body.sources.length > 0);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  await cpuOf('short');
  const short = await cpuOf('short');
  const long = await cpuOf('long');
  t.ok(long < 2.5 * short, `forty times the length takes ${(long / short).toFixed(2)} times the CPU time`);
});

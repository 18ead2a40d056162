/**
 * Tests texts for which PostgreSQL's full-text parser takes quadratic time. The product must extract the words of texts
 * and queries in linear time. The triggers that index words have a time limit, and users take turns.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createUser } from '../../../src/identity/users.js';
import { createLogger } from '../../../src/log/logger.js';
import { searchCards } from '../../../src/service/conversations/assistant-conversations.js';
import { startSearch } from '../../../src/service/search/search.js';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { searchSchema } from '../../../src/store/schema/migrations/search.js';
import { indexLateTexts, mostFailures } from '../../../src/store/search/search-late.js';
import { indexOlderConversations } from '../../../src/store/search/search-older.js';
import { matchWords } from '../../../src/store/search/search-words.js';
import { startApi } from '../../sidecar/support.js';
import { testDatabase } from '../../support/database/database.js';

/**
 * One character of each kind that the parser distinguishes, and the characters other than letters that a word may
 * contain.
 */
const characters = [...'a1e!\'"#&+-./:;=?@\\_~%<|,(é。', '\u0301', '１', '\u00a0', '\u0001', ' '];

/** Units that take quadratic time in the parser when repeated, or once did. */
const known = [
  '1e@',
  '1@a',
  '11_',
  'a_',
  'a-1.',
  '~/',
  '/.',
  '.\\@',
  'http://a.b/',
  'é-',
  'あ_',
  `${'a_'.repeat(49)}a `,
  `${'1@a'.repeat(33)} `,
  `${'1@a'.repeat(33)}, `,
  `${'a'.repeat(150)}@`,
  `${'a'.repeat(98)}@1`,
  `${'あ'.repeat(99)}_1@`,
];

/**
 * Returns the units that the texts repeat: each character, each pair of characters, and some longer
 * sequences.
 */
const patterns = (): string[] => [
  ...characters,
  ...characters.flatMap((first) => characters.map((second) => first + second)),
  ...fc
    .sample(fc.array(fc.constantFrom(...characters), { minLength: 3, maxLength: 6 }), 200)
    .map((unit) => unit.join('')),
  ...known,
];

/**
 * Opens a connection to a test's database. @returns the connection, and `cpuOf`, which returns the CPU time in ms that
 * the connection's server process uses for some work.
 */
const measured = async (t: Test, url: string) => {
  const sql = connectDatabase(url, { max: 1, statementTimeoutMs: 120_000 });
  t.teardown(() => sql.end({ timeout: 1 }));
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  /** Returns the CPU time of the server process in ms. It excludes the time of other programs. */
  const spent = async (): Promise<number> =>
    Number((await readFile(`/proc/${row!.pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e6;
  return {
    sql,
    cpuOf: async (work: () => Promise<unknown>): Promise<number> => {
      const before = await spent();
      await work();
      return (await spent()) - before;
    },
  };
};

/** Reason why tests that measure CPU time are skipped, or false. */
const withoutCpu: string | false = existsSync('/proc/self/schedstat')
  ? false
  : 'the system does not show CPU times of other processes';

const wordsOf = async (sql: Sql, text: string): Promise<string[]> => {
  const [row] = await sql<{ words: string[] }[]>`
    select tsvector_to_array(search_words('simple', ${text})) as words`;
  return row!.words;
};

const parsedAlone = async (sql: Sql, text: string): Promise<string[]> => {
  const [row] = await sql<{ words: string[] }[]>`
    select tsvector_to_array(to_tsvector('simple', ${text})) as words`;
  return row!.words;
};

t.test('words of a text for the search index', async (t) => {
  const { sql, url } = await testDatabase(t);

  await t.test('reading words takes linear time for every pattern', { skip: withoutCpu }, async (t) => {
    const { sql: one, cpuOf } = await measured(t, url);
    const read = (unit: string, size: number) =>
      cpuOf(
        () =>
          one`select length(search_words('simple', left(repeat(${unit}, ${size}::integer), ${size}::integer)))`,
      );
    await read('a', 5000);
    const times: { readonly unit: string; readonly ms: number }[] = [];
    for (const unit of patterns()) times.push({ unit, ms: await read(unit, 1000) });
    const slowest = times.sort((a, b) => b.ms - a.ms).slice(0, 20);
    let most = 0;
    for (const unit of new Set([...slowest.map(({ unit }) => unit), ...known])) {
      const [short, long] = [await read(unit, 4000), await read(unit, 32_000)];
      // The long text is 8 times as long as the short one. Quadratic time would be 64 times as long.
      t.ok(long < 20 * short, `${unit.slice(0, 12)}: ${(long / short).toFixed(1)} times`);
      most = Math.max(most, long / 32);
    }
    t.comment(`the slowest: ${most.toFixed(2)} ms of CPU for 1,000 characters`);
  });

  await t.test('long runs of other characters than letters and digits are split', async (t) => {
    for (const unit of [...characters, ...known]) {
      const [row] = await sql<{ bounded: string }[]>`
        select search_bounded(left(repeat(${unit}, 3000), 3000)) as bounded`;
      const long = row!.bounded
        .split(/[ \t-\r]/)
        // A run may exceed the limit if its only separator is its last character, because the product splits after this
        // character.
        .filter(
          (run) => run.length > fixedLimits.searchRun.value && /[\0-/:-@[-`{-\x7f]/.test(run.slice(0, -1)),
        );
      t.same(long, [], unit.slice(0, 12));
    }
  });

  await t.test("words of languages without spaces are those of PostgreSQL's parser", async (t) => {
    const japanese =
      '私は昨日友達と一緒に東京駅の近くにある小さな喫茶店で珈琲を飲みながら旅行の計画を立てました。とても楽しかったので来年2月3日も行きたいと思います、';
    const chinese =
      '我今天去了公园然后和朋友们一起吃了晚饭，我们聊了很多关于工作和生活的事情。第2天早上七点起床以后又去爬山了；';
    const thai = 'วันนี้ฉันไปตลาดเพื่อซื้อผักและผลไม้สดแล้วกลับบ้านมาทำอาหารให้ครอบครัวกินกันอย่างมีความสุข';
    for (const [name, text] of Object.entries({ japanese, chinese, thai })) {
      for (const said of [text, text.repeat(3), `${text} ${text}`, `「${text}」`, `${text.repeat(2)}!`]) {
        t.same(await wordsOf(sql, said), await parsedAlone(sql, said), `${name}, ${said.length} characters`);
      }
    }
    // With ASCII commas, the words are the parts between the commas.
    const commas = `${chinese.slice(0, 20)},`.repeat(20);
    t.ok(commas.length > 400);
    t.same(await wordsOf(sql, commas), await parsedAlone(sql, commas));
  });

  await t.test("words of short runs are those of PostgreSQL's parser", async (t) => {
    for (const text of [
      'mail ann@example.org about https://example.org/garden/plan?year=2026&month=11#beans today',
      'a well-known state-of-the-art file ~/notes/today.txt, version 1.2.3-rc, -12.5e3 degrees',
      `${'word/'.repeat(20)} end`,
    ]) {
      t.same(await wordsOf(sql, text), await parsedAlone(sql, text), text);
    }
    const long = `https://example.org/${'garden/'.repeat(30)}?plan=beans,peas end`;
    for (const word of ['example.org', 'peas', 'end']) t.ok((await wordsOf(sql, long)).includes(word), word);
  });

  await t.test('no query is too much for the parser of queries', async (t) => {
    await createUser(sql, { uid: 'eve' });
    await sql`insert into posts (uid, id, created_at, kind, text) values ('eve', 'p', now(), 'tweet', 'A garden.')`;
    const found = (text: string) => matchWords(sql, 'eve', 'post', text, {}, 10);
    const failed: string[] = [];
    const units = patterns().filter((unit) => unit.includes('-'));
    for (const unit of [...units, '- ', '-(', '-"', '-or ', '-a '])
      await found(unit.repeat(200)).catch(() => failed.push(unit));
    t.same(failed, []);
    t.equal((await found(`garden ${'-'.repeat(1000)}`)).length, 1, 'a line of dashes excludes nothing');
    t.equal((await found(`garden ${'- '.repeat(17)}peas`)).length, 1);
    t.equal((await found(`-garden ${'-peas '.repeat(15)}a`)).length, 0, 'sixteen words are excluded');
  });

  await t.test('words of a query are read in the same way', { skip: withoutCpu }, async (t) => {
    const { sql: one, cpuOf } = await measured(t, url);
    await createUser(sql, { uid: 'ann' });
    const found = (text: string) => matchWords(one, 'ann', 'post', text, {}, 10);
    const word = `${'x-1.'.repeat(60)}end`;
    await sql`insert into posts (uid, id, created_at, kind, text) values ('ann', 'p', now(), 'tweet', ${word})`;
    t.equal((await found(word)).length, 1, 'a long run finds its own record');
    t.equal((await found('"end"')).length, 1);
    t.equal((await found(`"end" -end`)).length, 0, 'a minus excludes a word');
    t.equal(
      (await found(`"end" ${'peas '.repeat(50)}-end`)).length,
      1,
      'a minus is ignored in a query with very many words',
    );
    for (const unit of ['1e@', 'a_', '/.', '<a ']) {
      const [short, long] = [
        await cpuOf(() => found(unit.repeat(1000).slice(0, 500))),
        await cpuOf(() => found(unit.repeat(2000).slice(0, 4000))),
      ];
      t.ok(long < 20 * short, `${unit}: ${(long / short).toFixed(1)} times for eight times the length`);
    }
  });
});

t.test('an upgrade that indexes old records takes linear time', { skip: withoutCpu }, async (t) => {
  const { sql, url } = await testDatabase(t);
  const { sql: one, cpuOf } = await measured(t, url);
  await createUser(sql, { uid: 'ann' });
  /**
   * Returns the CPU time of an upgrade. The database has no tables for search, and contains some posts of this length.
   */
  const upgraded = async (characters: number): Promise<number> => {
    await one.unsafe(`
      drop table search_late, search_vectors, search_texts, search_older cascade;
      do $$ declare made regprocedure; begin
        for made in select oid::regprocedure from pg_proc where proname like 'search\\_%' loop
          execute format('drop function %s cascade', made);
        end loop;
      end $$`);
    await sql`
      insert into posts (uid, id, created_at, kind, text)
      select 'ann', 'p' || n, now(), 'tweet', left(repeat('1e@', 4000), ${characters}::integer) from generate_series(1, 4) as n
      on conflict (uid, id) do update set text = excluded.text`;
    const spent = await cpuOf(() => one.unsafe(searchSchema));
    await one.unsafe(`create table search_late ()`);
    return spent;
  };
  await upgraded(10);
  const [short, long] = [await upgraded(1250), await upgraded(10_000)];
  t.ok(long < 20 * short, `${(long / short).toFixed(1)} times for eight times the length`);
});

t.test('searches for snippets by the beginning of long words', async (t) => {
  const { sql } = await testDatabase(t);
  await createUser(sql, { uid: 'ann' });
  const { values } = loadSettings({ ...process.env, SENTENCE_MODEL: 'none' });
  const search = startSearch({ settings: values, sql, log: createLogger('test', 'silent') });
  t.teardown(() => search.close());
  const id = '00000000-0000-4000-8000-000000000002';
  await sql`
    insert into conversations (id, uid, status, source, created_at, last_speech_at, structured)
    values (${id}, 'ann', 'completed', 'omi', now(), now(), '{"title": "Harbour"}')`;
  await sql`
    insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
    values ('s', ${id}, 0, 1, ${`so ${'a'.repeat(40)}`}, 'SPEAKER_00', 0, true, 0, 1)`;
  const placesOf = async (text: string): Promise<number | undefined> =>
    (await searchCards(search, sql, 'ann', { text, limit: 5 }, true))[0]?.match_snippets.length;
  t.equal(await placesOf(`harbour ${'a'.repeat(900)}b`), 1, 'only the beginning of the word must match');
  t.equal(await placesOf(`harbour ${'b'.repeat(900)}`), 0);
});

const poison = '1e@'.repeat(20_000);

t.test('time limit of the triggers that index words', async (t) => {
  const { sql } = await testDatabase(t);
  await createUser(sql, { uid: 'ann' });
  await createUser(sql, { uid: 'eva' });
  /** Stores posts in one transaction. @param milliseconds time limit for indexing words. */
  const store = (uid: string, texts: readonly string[], milliseconds: number) =>
    sql.begin(async (transaction) => {
      await transaction`select set_config('cochlea.search_time', ${String(milliseconds)}, true)`;
      await transaction`
        insert into posts (uid, id, created_at, kind, text)
        select ${uid}, 'p' || n, now(), 'tweet', text from unnest(${texts as string[]}::text[]) with ordinality as p (text, n)
        on conflict (uid, id) do update set text = excluded.text`;
    });
  const late = async (): Promise<string[]> =>
    (await sql<{ id: string }[]>`select id from search_late order by id`).map(({ id }) => id);
  /** Indexes words until none are left. @returns the number of skipped texts. */
  const indexAll = async (): Promise<number> => {
    let given = 0;
    for (;;) {
      const round = await indexLateTexts(sql, 20, '');
      given += round.given;
      if (round.went === 'idle') return given;
    }
  };

  await t.test('the default limit is the one of docs/limits.md', async (t) => {
    const texts = Array.from({ length: 4 }, () => '1e@'.repeat(1000));
    /** Returns the number of texts that are stored without words when the transaction has already used `spent` ms. */
    const lateAfter = async (spent: number): Promise<number> => {
      await sql.begin(async (transaction) => {
        await transaction`select set_config('cochlea.search_spent', ${String(spent)}, true)`;
        await transaction`
          insert into posts (uid, id, created_at, kind, text)
          select 'eva', 'p' || n, now(), 'tweet', text from unnest(${texts}::text[]) with ordinality as p (text, n)`;
      });
      const { length } = await late();
      await sql`delete from posts where uid = 'eva'`;
      return length;
    };
    t.equal(await lateAfter(fixedLimits.searchTime.value), 4);
    t.equal(
      await lateAfter(fixedLimits.searchTime.value - 0.01),
      3,
      'the first text uses the remaining time',
    );
  });

  const foundBy = async (text: string, kind: 'post' | 'conversation' = 'post'): Promise<string[]> =>
    (await matchWords(sql, 'ann', kind, text, {}, 50)).map(({ id }) => id).sort();

  await t.test('a text without remaining time is stored, and its words are indexed later', async (t) => {
    const texts = Array.from({ length: 6 }, (_, n) => `harbour${n} ${'1e@'.repeat(1000)}`);
    await store('ann', [...texts, 'a short harbour0'], 1);
    t.same(await late(), ['p2', 'p3', 'p4', 'p5', 'p6'], 'the first text used up the time');
    t.equal((await sql`select from posts where uid = 'ann'`).length, 7, 'every post is stored');
    t.same(await foundBy('harbour0'), ['p1', 'p7'], 'short texts are found at once');
    t.same(await foundBy('harbour5'), []);
    await store('eva', [poison, 'x '.repeat(1000)], 0);
    t.same(await indexLateTexts(sql, 20, ''), { went: 'worked', given: 0, after: '' });
    t.same((await late()).length, 5, 'a pass indexes one text of each user');
    t.same(await indexLateTexts(sql, 1, ''), { went: 'worked', given: 0, after: 'ann' });
    t.same(await indexLateTexts(sql, 1, 'ann'), { went: 'worked', given: 0, after: 'eva' });
    t.same(await indexLateTexts(sql, 1, 'eva'), { went: 'worked', given: 0, after: '' });
    t.same((await late()).length, 3, 'users take turns');
    t.equal(await indexAll(), 0);
    t.same(await late(), []);
    await sql`delete from posts where uid = 'eva'`;
    t.same(await foundBy('harbour5'), ['p6']);
  });

  await t.test("many slow texts use only the transaction's time limit", async (t) => {
    const texts = Array.from({ length: 30 }, () => '1e@'.repeat(3333));
    /** Returns the number of texts whose words are indexed by the end of the transaction. */
    const readIn = async (milliseconds: number): Promise<number> => {
      await store('eva', texts, milliseconds);
      const { length } = await late();
      await sql`delete from posts where uid = 'eva'`;
      t.same(await late(), [], 'a deleted record does not wait for indexing');
      return 30 - length;
    };
    t.equal(await readIn(0), 0);
    const some = await readIn(30);
    t.ok(some >= 1 && some < 20, `${some} of 30 are read in 30 ms`);
    t.equal(await readIn(100_000), 30);
  });

  await t.test(
    'a text whose words cannot be indexed is stored, and skipped after several failures',
    async (t) => {
      await sql`alter function search_words(regconfig, text) rename to search_words_kept`;
      await sql`
      create function search_words(configuration regconfig, said text) returns tsvector language plpgsql as $$
      begin
        if said like '%unreadable%' then raise exception using errcode = 'program_limit_exceeded'; end if;
        if said like '%endless%' then raise exception using errcode = 'query_canceled'; end if;
        return search_words_kept(configuration, said);
      end $$`;
      await store('ann', [`unreadable ${'x '.repeat(1000)}`], 1000);
      t.same(await late(), ['p1']);
      // The time limit of this transaction is 0, so all its texts wait for later indexing.
      await store(
        'ann',
        [
          `unreadable ${'x '.repeat(1000)}`,
          `endless harbour ${'x '.repeat(1000)}`,
          `harbour ${'x '.repeat(1000)}`,
        ],
        0,
      );
      t.equal(await indexAll(), 2, 'two texts are skipped');
      t.same(await late(), ['p1', 'p2']);
      t.same(await foundBy('harbour'), ['p3'], 'the text after them is found');

      const ids = await sql<{ id: string }[]>`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured)
      select gen_random_uuid(), 'ann', 'completed', 'omi', now(), now(), jsonb_build_object('title', 'lighthouse')
      from generate_series(1, 45) returning id`;
      const bad = ids[20]!.id;
      await sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
      values ('s', ${bad}, 0, 1, ${`endless ${'x '.repeat(1000)}`}, 'SPEAKER_00', 0, true, 0, 1)`;
      await sql`delete from search_texts where kind = 'conversation'`;
      await sql`insert into search_older values ('00000000-0000-0000-0000-000000000000')`;
      for (let round = 0; round < 20; round++) if ((await indexOlderConversations(sql, 20)) === 'done') break;
      t.same([...(await sql`select from search_older`)], [], 'all older conversations are processed');
      t.equal(await indexAll(), 1);
      t.same(
        await foundBy('lighthouse', 'conversation'),
        ids
          .map(({ id }) => id)
          .filter((id) => id !== bad)
          .sort(),
      );
      const [marked] = await sql`select failures from search_late where id = ${bad}`;
      t.equal(marked!.failures, mostFailures, 'the failing conversation is marked');

      await sql`drop function search_words(regconfig, text)`;
      await sql`alter function search_words_kept(regconfig, text) rename to search_words`;
    },
  );

  await t.test('a changed text is indexed again', async (t) => {
    await store('ann', [`a ferry ${'x '.repeat(1000)}`], 0);
    await indexAll();
    t.same(await foundBy('ferry'), ['p1']);
  });

  await t.test('a long conversation with slow text is stored and found by its title', async (t) => {
    const id = '00000000-0000-4000-8000-000000000001';
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured, external_data)
      values (${id}, 'ann', 'completed', 'external_integration', now(), now(), '{"title": "Quayside"}',
        jsonb_build_object('text', ${`dawn ${poison}`}::text))`;
    t.same(await foundBy('quayside', 'conversation'), [id]);
    t.same(await foundBy('dawn', 'conversation'), [id]);
  });
});

t.test('two accounts with megabytes of slow texts do not delay a third', async (t) => {
  const api = await startApi(t);
  const [ann, ben, eva] = [await api.person(), await api.person(), await api.person()];
  const posts = Array.from({ length: 10 }, (_, n) => ({
    id: `p${n}`,
    kind: 'tweet',
    text: '1e@'.repeat(3333),
  }));
  const call = async (token: string, path: string, body?: unknown): Promise<number> => {
    const { status } = await api.call(path, { credential: token, ...(body !== undefined && { body }) });
    return status;
  };
  const began = performance.now();
  const attacks = [ann, ann, ann, ann, ben, ben, ben, ben].map(({ token }) =>
    call(token, '/v1/posts/batch', { posts }),
  );
  let under = attacks.length;
  const taken = Promise.all(attacks.map((attack) => attack.finally(() => under--)));
  const times: number[] = [];
  while (under > 0) {
    const asked = performance.now();
    t.equal(await call(eva.token, '/v1/users/settings'), 200);
    times.push(performance.now() - asked);
  }
  const whole = performance.now() - began;
  t.same(await taken, Array(8).fill(200), 'all posts are stored');
  times.sort((a, b) => a - b);
  t.ok(times.length >= 8, `${times.length} requests of another account were answered during the attack`);
  t.ok(times[Math.floor(times.length / 2)]! < whole / 8, 'the median request is short');
  const [rows] = await api.sql<{ posts: number }[]>`select count(*)::integer as posts from posts`;
  t.equal(rows!.posts, 20);
});

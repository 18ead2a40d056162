/** Tests search by meaning and by words on a database, with the model if this machine has it. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { ensureModel, modelOptions } from '../../src/models/ensure.js';
import { createMemories, deleteMemory, updateMemory } from '../../src/service/records/memories.js';
import { startBackfill } from '../../src/service/search/backfill.js';
import type { Embedder } from '../../src/service/search/embedder.js';
import { type Search, startSearch } from '../../src/service/search/search.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { type MemoryRow, memoryRows } from '../../src/store/records/memories.js';
import { testDatabase } from '../support/database/database.js';
import { others, paraphrases } from '../support/texts/search-texts.js';
import { until } from '../support/until.js';

const settings = (environment: Record<string, string> = {}) =>
  loadSettings({ ...process.env, SENTENCE_MODEL: 'minilm', ...environment }).values;
const log = createLogger('test', 'silent');

/** Reason why tests that need the model are skipped, or false. */
const withoutModel: string | false = await ensureModel('minilm', modelOptions(settings())).then(
  () => false,
  (error: Error) => error.message,
);

void t.test('search', async (t) => {
  const { sql } = await testDatabase(t);
  const remember = async (uid: string, texts: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < texts.length; at += 25) {
      const given = texts.slice(at, at + 25).map((content) => ({ content }));
      ids.push(...(await createMemories(sql, uid, 'developer', given)).map(({ id }) => id));
    }
    return ids;
  };
  const ask = async (search: Search, uid: string, text: string, limit = 3) => {
    const { found, semantic } = await search.find<MemoryRow>({
      uid,
      kind: 'memory',
      text,
      limit,
      read: (ids) => memoryRows.byIds(sql, uid, ids),
    });
    return {
      semantic,
      texts: found.map(({ row }) => row.content),
      scores: found.map(({ relevance }) => relevance),
    };
  };

  await t.test('search by meaning', { skip: withoutModel }, async (t) => {
    const search = startSearch({ settings: settings(), sql, log });
    const another = startSearch({ settings: settings(), sql, log });
    t.teardown(() => Promise.all([search.close(), another.close()]));
    await createUser(sql, { uid: 'ann' });
    await createUser(sql, { uid: 'bob' });
    await remember('ann', [...paraphrases.map(([memory]) => memory), ...others]);
    // The first search loads the model, but waits only for a limited time.
    await until(async () => (await ask(search, 'ann', 'anything')).semantic, 'the model is loaded');

    await t.test('20 of 20 questions without a common word find their memory first', async (t) => {
      const missed: string[] = [];
      for (const [memory, question] of paraphrases) {
        const { texts } = await ask(search, 'ann', question);
        if (texts[0] !== memory) missed.push(`${question}: ${texts.join(' / ')}`);
      }
      t.strictSame(missed, []);
    });

    await t.test('relevance is between 0 and 1, and falls from result to result', async (t) => {
      const { scores, texts } = await ask(search, 'ann', 'code 4711', 100);
      t.equal(texts.length, paraphrases.length + others.length, 'every memory has a relevance');
      t.equal(texts[0], 'The alarm code of the cottage is 4711');
      t.ok(scores[0]! > 0.5, 'all words match');
      t.ok(scores.every((score, i) => score >= 0 && score <= 1 && score <= (scores[i - 1] ?? 1)));
    });

    await t.test('does not find memories of another user', async (t) => {
      await remember('bob', ['His dog is called Rex']);
      t.strictSame((await ask(search, 'bob', 'name of the pet', 10)).texts, ['His dog is called Rex']);
      t.equal((await ask(search, 'ann', 'name of the pet')).texts[0], 'Her dog is called Bruno');
      t.strictSame((await ask(search, 'carl', 'name of the pet')).texts, []);
    });

    await t.test('finds a written memory in every process as soon as the write returns', async (t) => {
      t.not((await ask(another, 'ann', 'reptile in a terrarium')).texts[0], 'Feeds a gecko');
      const [id] = await remember('ann', ['Feeds a gecko']);
      for (const one of [search, another]) {
        t.equal((await ask(one, 'ann', 'reptile in a terrarium')).texts[0], 'Feeds a gecko');
      }
      await updateMemory(sql, 'ann', 'developer', id!, { content: 'Sings in a choir' });
      for (const one of [another, search]) {
        t.not((await ask(one, 'ann', 'reptile in a terrarium')).texts[0], 'Sings in a choir');
        t.equal((await ask(one, 'ann', 'group of vocalists')).texts[0], 'Sings in a choir');
      }
      await deleteMemory(sql, 'ann', id!);
      for (const one of [search, another]) {
        t.notOk((await ask(one, 'ann', 'group of vocalists', 100)).texts.includes('Sings in a choir'));
      }
      t.strictSame(
        [...(await sql`select id from search_texts where id = ${id!}`)],
        [],
        'the deleted memory is not in the index',
      );
    });

    await t.test('finds the memory of a transaction that began earlier and ended later', async (t) => {
      const ended = sql.begin(async (transaction) => {
        const sqlOf = transaction as unknown as typeof sql;
        await createMemories(sqlOf, 'ann', 'developer', [{ content: 'Grows tomatoes on the balcony' }]);
        await remember('ann', ['Keeps bees']);
        t.equal((await ask(search, 'ann', 'honey production')).texts[0], 'Keeps bees');
      });
      await ended;
      t.equal((await ask(search, 'ann', 'vegetables at home')).texts[0], 'Grows tomatoes on the balcony');
    });

    await t.test('nearestMemories finds memories near a vector', async (t) => {
      const [vector] = (await search.embed(['The pet is named Bruno'], 'ann'))!;
      t.ok(Math.abs(vector!.reduce((sum, value) => sum + value * value, 0) - 1) < 1e-5, 'a unit vector');
      const near = await search.nearestMemories('ann', vector!, 2);
      t.equal(near.length, 2);
      t.equal(near[0]!.memory.content, 'Her dog is called Bruno');
      t.ok(near[0]!.similarity > near[1]!.similarity);
      t.strictSame(await search.nearestMemories('carl', vector!, 2), []);
    });

    await t.test('embeds earlier memories in the background', async (t) => {
      await remember(
        'bob',
        Array.from({ length: 60 }, (_, i) => `Bought ticket number ${i}`),
      );
      await until(async () => {
        const [row] = await sql`select count(*)::integer as missing from search_vectors where vector is null`;
        return row!.missing === 0;
      }, 'every vector is computed');
      t.ok((await ask(search, 'bob', 'ticket number 59', 1)).semantic);
    });
  });

  await t.test('search without a model', async (t) => {
    const search = startSearch({ settings: settings({ SENTENCE_MODEL: 'none' }), sql, log });
    t.teardown(() => search.close());
    await createUser(sql, { uid: 'dora', language: 'de' });
    await remember('dora', ['Der Zug nach Berlin fährt um 8', 'Fährt gern mit Zügen', 'Termin am 4. Mai']);
    t.equal(await search.embed(['x'], 'ann'), undefined);
    t.strictSame(await search.nearestMemories('dora', new Float32Array(384), 3), []);
    for (const [query, expected] of [
      ['Züge', 2],
      ['Zug Berlin', 2],
      ['"nach Berlin"', 1],
      ['Zug -Berlin', 1],
      ['Mai', 1],
      ['Flugzeug', 0],
      ['der', 0],
    ] as const) {
      const { texts, semantic } = await ask(search, 'dora', query, 10);
      t.equal(texts.length, expected, query);
      t.notOk(semantic);
    }
    t.match((await ask(search, 'dora', 'Zug Berlin')).texts[0], /Berlin/, 'more matching words come first');
  });

  await t.test('search during the download of the model', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-search-'));
    t.teardown(() => rm(dataDir, { recursive: true, force: true }));
    let asked = 0;
    const mirror = createServer(() => {
      asked += 1;
    }).listen(0, '127.0.0.1');
    await once(mirror, 'listening');
    t.teardown(() => mirror.closeAllConnections());
    t.teardown(() => mirror.close());
    const search = startSearch({
      settings: settings({
        COCHLEA_DATA_DIR: dataDir,
        COCHLEA_MODELS_DIR: '',
        COCHLEA_MODELS_MIRROR: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`,
      }),
      sql,
      log,
    });
    t.teardown(() => search.close());
    await createUser(sql, { uid: 'emil' });
    await remember('emil', ['Goes climbing']);
    const { texts, semantic } = await ask(search, 'emil', 'climbing');
    t.strictSame(texts, ['Goes climbing'], 'finds words');
    t.notOk(semantic, 'reports that meanings were not compared');
    t.ok(asked > 0, 'the mirror was asked');
    await search.close();
    t.equal(await search.embed(['x'], 'ann'), undefined, 'a download does not delay closing');
  });
});

t.test('search for conversations', async (t) => {
  const { sql, url } = await testDatabase(t);
  const options = { settings: settings({ SENTENCE_MODEL: 'none' }), sql, log: createLogger('test', 'warn') };
  await createUser(sql, { uid: 'early' });

  await t.test('indexes conversations from before the index in the background', async (t) => {
    const count = 45;
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured)
      select gen_random_uuid(), 'early', 'completed', 'omi', now(), now(),
        jsonb_build_object('title', 'Lighthouse ' || n, 'overview', 'About the lighthouse.')
      from generate_series(1, ${count}::integer) as n`;
    // Recreates the state after migrating a database of an earlier release.
    await sql`delete from search_texts`;
    await sql`insert into search_older values ('00000000-0000-0000-0000-000000000000')`;
    const searches = [startSearch(options), startSearch(options)];
    await until(async () => (await sql`select from search_older`).length === 0);
    await Promise.all(searches.map((search) => search.close()));
    const indexed = await sql`
      select id from search_texts where uid = 'early' and kind = 'conversation' and words @@ to_tsquery('english', 'lighthouse')`;
    t.equal(indexed.length, count);
  });

  await t.test('adds missing texts to indexed conversations', async (t) => {
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured, external_data)
      values (gen_random_uuid(), 'early', 'completed', 'external_integration', now(), now(), '{"title": "Harbour"}',
        '{"text": "The ferry leaves at dawn."}')`;
    await sql`delete from search_texts`;
    await sql`insert into search_older values ('00000000-0000-0000-0000-000000000000', true)`;
    const search = startSearch(options);
    await until(async () => (await sql`select from search_older`).length === 0);
    await search.close();
    const indexed = await sql<{ found: boolean }[]>`
      select words @@ to_tsquery('english', 'ferry & harbour') as found from search_texts where uid = 'early'`;
    t.strictSame(
      indexed.map(({ found }) => found),
      [true],
    );
  });

  await t.test('embeds a conversation again only after a change of its title or overview', async (t) => {
    const [talk] = await sql<{ id: string }[]>`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, structured)
      values (gen_random_uuid(), 'early', 'completed', 'omi', now(), now(),
        '{"title": "Garden plan", "overview": "Beans.", "action_items": []}') returning id`;
    const id = talk!.id;
    const embed = () => sql`update search_vectors set vector = decode('0000803f', 'hex') where id = ${id}`;
    const isEmbedded = async (): Promise<boolean> => {
      const [row] = await sql`select vector is not null as has from search_vectors where id = ${id}`;
      return row!.has;
    };
    const cases: readonly [change: string, kept: boolean][] = [
      [`structured = structured || '{"action_items": [{"description": "Buy beans"}]}'`, true],
      [`started_at = now() - interval '1 day'`, true],
      [`structured = structured || '{"title": "Garden plans"}'`, false],
      [`structured = structured || '{"overview": "Peas."}'`, false],
    ];
    for (const [change, kept] of cases) {
      await embed();
      await sql.unsafe(`update conversations set ${change} where id = $1`, [id]);
      t.equal(await isEmbedded(), kept, change);
    }
    await sql`update conversations set status = 'processing' where id = ${id}`;
    await sql`insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user,
      start_seconds, end_seconds) values ('s', ${id}, 0, 1, 'Rhubarb, too.', 'SPEAKER_00', 0, true, 0, 1)`;
    await embed();
    await sql`update conversations set status = 'completed' where id = ${id}`;
    const [row] = await sql`
      select words @@ to_tsquery('english', 'rhubarb') as found from search_texts where id = ${id}`;
    t.same({ found: row!.found, embedded: await isEmbedded() }, { found: true, embedded: true });
  });

  await t.test('embeds texts of simultaneous searches once', async (t) => {
    await sql`delete from search_texts`;
    await createMemories(sql, 'early', 'developer', [
      { content: 'Owns a kayak' },
      { content: 'Owns a tent' },
    ]);
    const embedded: string[] = [];
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const embedder: Embedder = {
      dimensions: 1,
      embed: async (texts) => {
        embedded.push(...texts);
        await held;
        return texts.map(() => new Float32Array([1]));
      },
      // A positive number keeps the background work from starting.
      waiting: () => 1,
      close: async () => undefined,
    };
    // One connection executes statements in the order of sending.
    const alone = connectDatabase(url, { max: 1 });
    const backfill = startBackfill(alone, embedder, log);
    t.teardown(async () => {
      await backfill.close();
      await alone.end({ timeout: 1 });
    });
    const first = backfill.complete('early', 'memory');
    await until(() => embedded.length > 0);
    const others = [1, 2, 3].map(() => backfill.complete('early', 'memory'));
    // When this statement is answered, one statement of each kind has been answered, too.
    await alone`select 1`;
    go();
    t.strictSame(await Promise.all([first, ...others]), [true, true, true, true]);
    t.strictSame(embedded.sort(), ['Owns a kayak', 'Owns a tent']);
  });

  await t.test('searches the words of texts that look like tags, in bounded time', async (t) => {
    const words = async (text: string): Promise<string[]> => {
      const [row] = await sql<{ words: string[] }[]>`
        select tsvector_to_array(search_words('english', ${text})) as words`;
      return row!.words.sort();
    };
    t.strictSame(await words('<garden> plans < rose'), ['garden', 'plan', 'rose']);
    await sql.begin(async (transaction) => {
      // For these texts, the parser alone takes more than a minute.
      await transaction`set local statement_timeout = '20s'`;
      const [row] = await transaction`select length(search_words('english', repeat('<a ', 200000))) as words`;
      t.equal(row!.words, 0);
    });
  });
});

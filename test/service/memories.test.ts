import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createUser } from '../../src/identity/users.js';
import { replaceFoundMemories, sameMemories } from '../../src/service/records/found-memories.js';
import {
  createMemories,
  deleteMemory,
  getMemory,
  listMemories,
  updateMemory,
} from '../../src/service/records/memories.js';
import { sweepIdempotencyKeys } from '../../src/store/records/idempotency.js';
import { memoriesOfConversation } from '../../src/store/records/memories.js';
import { testDatabase } from '../support/database/database.js';
import { plansOf } from '../support/database/plan.js';

t.test('memories', async (t) => {
  const { sql } = await testDatabase(t);
  let users = 0;
  const user = async (): Promise<string> => (await createUser(sql, { uid: `user-${++users}` })).uid;
  const uid = await user();
  const add = (owner: string, content: string, more: object = {}, key?: string) =>
    createMemories(sql, owner, 'developer', [{ content, ...more }], key).then(([memory]) => memory!);
  const contents = async (owner: string, query: object = {}): Promise<string[]> =>
    (await listMemories(sql, owner, 'developer', { limit: 100, ...query })).items.map(
      ({ content }) => content,
    );

  await t.test('reading returns what was created', async (t) => {
    const made = await add(uid, '  Likes rowing\0 at dawn  ', {
      category: 'hobbies',
      tags: [' sport ', 'am'],
    });
    t.match(made, {
      content: 'Likes rowing\ufffd at dawn',
      category: 'hobbies',
      visibility: 'private',
      tags: ['sport', 'am'],
      manually_added: true,
      reviewed: true,
      user_review: true,
      edited: false,
      scoring: /^01_998_\d{10}$/,
    });
    t.same(await getMemory(sql, uid, 'developer', made.id), made);
    t.same((await listMemories(sql, uid, 'developer', { limit: 10 })).items, [made]);
  });

  await t.test('finds a missing category, and shows the name that each interface uses', async (t) => {
    const owner = await user();
    const cases: [content: string, developer: string, tools: string][] = [
      ['Is allergic to nuts', 'system', 'other'],
      ['According to Ann, sleep comes before exercise', 'other', 'interesting'],
    ];
    for (const [content, developer, tools] of cases) {
      const { id, category } = await add(owner, content);
      t.equal(category, developer, content);
      t.equal((await getMemory(sql, owner, 'tools', id)).category, tools, content);
    }
    t.same(await contents(owner, { categories: ['other'] }), [
      'According to Ann, sleep comes before exercise',
    ]);
    t.same(await contents(owner, { categories: ['system', 'work'] }), ['Is allergic to nuts']);
    await t.rejects(contents(owner, { categories: ['interesting'] }), {
      code: 'bad_request',
      message: 'Invalid category interesting',
    });
  });

  await t.test('sorts manual memories first, then by group of category, then newest first', async (t) => {
    const owner = await user();
    const { id: manual } = await add(owner, 'manual', { category: 'work' });
    const { id: found } = await add(owner, 'found', { category: 'work' });
    await add(owner, 'habit', { category: 'habits' });
    await add(owner, 'newer', { category: 'core' });
    await sql`update memories set manually_added = false, scoring = '00' || substr(scoring, 3) where id = ${found}`;
    await sql`update memories set created_at = created_at - interval '1 s', scoring = '01_998_0000000001' where id = ${manual}`;
    t.same(await contents(owner), ['habit', 'newer', 'manual', 'found']);
  });

  await t.test('an invalid creation or change has no effect', async (t) => {
    const owner = await user();
    const { id } = await add(owner, 'as it was', { tags: ['one'] });
    const creations: [name: string, given: object, message: RegExp][] = [
      ['blank', { content: ' \n ' }, /content cannot be empty/],
      ['long', { content: 'x'.repeat(501) }, /content should have at most 500 characters/],
      ['visibility', { content: 'a', visibility: 'friends' }, /visibility must be/],
      ['tags', { content: 'a', tags: Array(51).fill('t') }, /tags should have at most 50 items/],
      ['category', { content: 'a', category: 'manual' }, /Invalid category/],
    ];
    for (const [name, given, message] of creations) {
      const all = [{ content: 'sound' }, given as { content: string }];
      await t.rejects(createMemories(sql, owner, 'developer', all), { message }, name);
    }
    await t.rejects(createMemories(sql, owner, 'developer', Array(26).fill({ content: 'a' })), {
      message: 'At most 25 memories in a request',
    });
    const patches: [name: string, patch: object, message: RegExp][] = [
      ['nothing', {}, /At least one field/],
      ['visibility beside content', { content: 'new', visibility: 'all' }, /visibility must be/],
      ['blank', { content: ' ', tags: [] }, /content cannot be empty/],
    ];
    for (const [name, patch, message] of patches) {
      await t.rejects(updateMemory(sql, owner, 'developer', id, patch), { message }, name);
    }
    t.match((await listMemories(sql, owner, 'developer', { limit: 10 })).items, [
      { content: 'as it was', tags: ['one'], visibility: 'private', edited: false },
    ]);
    t.equal((await add(owner, '🧠'.repeat(500))).content.length, 1000, 'lengths are counted in code points');
  });

  await t.test('a change sets only its fields', async (t) => {
    const owner = await user();
    const made = await add(owner, 'Plays the cello', { category: 'hobbies', tags: ['music'] });
    const tagged = await updateMemory(sql, owner, 'developer', made.id, { tags: [], visibility: 'public' });
    t.match(tagged, {
      content: 'Plays the cello',
      category: 'hobbies',
      tags: [],
      visibility: 'public',
      edited: false,
    });
    const moved = await updateMemory(sql, owner, 'developer', made.id, {
      content: 'Plays the viola',
      category: 'habits',
    });
    t.match(moved, {
      content: 'Plays the viola',
      edited: true,
      scoring: made.scoring.replace('_998_', '_999_'),
    });
    t.same(await getMemory(sql, owner, 'developer', made.id), moved);
  });

  await t.test('a locked memory is shortened and cannot be changed', async (t) => {
    const owner = await user();
    const short = await add(owner, 'é'.repeat(70));
    const long = await add(owner, '🧠'.repeat(71));
    await sql`update memories set is_locked = true where uid = ${owner}`;
    t.same(await contents(owner), [`${'🧠'.repeat(70)}...`, 'é'.repeat(70)]);
    t.equal((await getMemory(sql, owner, 'developer', long.id)).content, `${'🧠'.repeat(70)}...`);
    const refusal = { code: 'locked', message: 'A paid plan is required to access this memory.' };
    await t.rejects(updateMemory(sql, owner, 'developer', short.id, { tags: [] }), refusal);
    await t.rejects(deleteMemory(sql, owner, short.id), refusal);
  });

  await t.test('invalidated, rejected, deleted and foreign memories are not found', async (t) => {
    const owner = await user();
    const stranger = await user();
    const shown = await add(owner, 'shown');
    const foreign = await add(stranger, 'foreign');
    const hidden = [
      await add(owner, 'invalidated'),
      await add(owner, 'rejected'),
      await add(owner, 'deleted'),
    ];
    await sql`update memories set invalid_at = now() where id = ${hidden[0]!.id}`;
    await sql`update memories set user_review = false where id = ${hidden[1]!.id}`;
    await deleteMemory(sql, owner, hidden[2]!.id);
    t.same(await contents(owner), ['shown']);
    const absent = { code: 'record_not_found', message: 'Memory not found' };
    for (const id of [...hidden, foreign].map(({ id }) => id).concat('nonsense', '%00')) {
      await t.rejects(getMemory(sql, owner, 'developer', id), absent);
      await t.rejects(updateMemory(sql, owner, 'developer', id, { content: 'mine now' }), absent);
      await t.rejects(deleteMemory(sql, owner, id), absent);
    }
    t.equal((await getMemory(sql, stranger, 'developer', foreign.id)).content, 'foreign');
    t.equal((await getMemory(sql, owner, 'developer', shown.id)).content, 'shown');
  });

  await t.test('pages by cursor contain every memory, also of the same instant', async (t) => {
    const owner = await user();
    const many = Array.from({ length: 25 }, (_, index) => ({ content: `memory ${index}`, category: 'work' }));
    await createMemories(sql, owner, 'developer', many);
    await createMemories(sql, owner, 'developer', many.slice(0, 10));
    const all = (await listMemories(sql, owner, 'developer', { limit: 100 })).items.map(({ id }) => id);
    t.equal(all.length, 35);
    const read: string[] = [];
    let cursor: string | undefined;
    do {
      const part = await listMemories(sql, owner, 'developer', { limit: 9, cursor });
      read.push(...part.items.map(({ id }) => id));
      cursor = part.next ?? undefined;
    } while (cursor !== undefined);
    t.same(read, all);
    t.same(
      (await listMemories(sql, owner, 'developer', { limit: 10, offset: 30 })).items.map(({ id }) => id),
      all.slice(30),
    );
    const id = '0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80';
    const forged = [
      ['goals', ['a', '2026-01-01T00:00:00Z', id]],
      ['memories', ['a', '0000-01-01T00:00:00Z', id]],
      ['memories', ['\0', '2026-01-01T00:00:00Z', id]],
      ['memories', ['a', '2026-01-01T00:00:00Z', 'x']],
    ].map((position) => Buffer.from(JSON.stringify(position)).toString('base64url'));
    const wrong = ['', 'x', 'A'.repeat(2000), ...forged];
    for (const given of wrong) {
      await t.rejects(listMemories(sql, owner, 'developer', { limit: 1, cursor: given }), {
        code: 'validation_failed',
      });
    }
  });

  await t.test('a repeated key creates one memory', async (t) => {
    const owner = await user();
    const all = await Promise.all(Array.from({ length: 8 }, () => add(owner, 'once', {}, 'key-1')));
    t.equal(new Set(all.map(({ id }) => id)).size, 1);
    t.same(await contents(owner), ['once']);
    await t.rejects(add(owner, 'something else', {}, 'key-1'), { code: 'idempotency_conflict' });
    await t.rejects(add(owner, 'x', {}, 'k'.repeat(201)), { code: 'validation_failed' });
    const stranger = await user();
    t.equal((await add(stranger, 'once', {}, 'key-1')).content, 'once', 'each user has separate keys');
    await deleteMemory(sql, owner, all[0]!.id);
    await t.rejects(add(owner, 'once', {}, 'key-1'), { code: 'idempotency_gone' });
    await sql`update idempotency_keys set created_at = now() - interval '8 days' where uid = ${owner}`;
    await sweepIdempotencyKeys(sql);
    t.equal((await add(owner, 'once', {}, 'key-1')).content, 'once', 'an expired key can be used again');
  });

  await t.test('the list is read from its index', async (t) => {
    await sql`
      insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, created_at, updated_at)
      select gen_random_uuid(), ${uid}, 'c', 'work', 'private', true, true, '01_998_' || lpad(n::text, 10, '0'), now(), now()
      from generate_series(1, 5000) n`;
    await sql`analyze memories`;
    const plans = await plansOf(sql, 'from memories', (watched) =>
      listMemories(watched, uid, 'developer', { limit: 25 }).then(({ next }) =>
        listMemories(watched, uid, 'developer', { limit: 25, cursor: next!, categories: ['work'] }),
      ),
    );
    t.equal(plans.length, 2);
    for (const plan of plans) {
      t.match(plan, /Index Scan using memories_by_scoring/);
      t.notMatch(plan, /Sort/);
    }
  });

  await t.test('updates the memories of a conversation that is processed again', async (t) => {
    interface Case {
      readonly name: string;
      readonly first: readonly string[];
      /** Changes the first memory between two runs. */
      readonly between?: (id: string, owner: string) => Promise<unknown>;
      readonly again: readonly string[];
      readonly shown: readonly string[];
      readonly hidden?: readonly string[];
    }
    const nurse = 'Works as a nurse';
    const change = (set: string) => (id: string) =>
      sql.unsafe(`update memories set ${set} where id = $1`, [id]);
    const cases: readonly Case[] = [
      { name: 'the same', first: [nurse], again: [nurse], shown: [nurse] },
      { name: 'the same in other words', first: [nurse], again: [`${nurse} now`], shown: [`${nurse} now`] },
      { name: 'something else', first: [nurse], again: ['Owns a kayak'], shown: ['Owns a kayak'] },
      { name: 'nothing', first: [nurse], again: [], shown: [] },
      {
        name: 'a memory that its user has edited',
        first: [nurse, 'Owns a kayak'],
        between: (id, owner) =>
          updateMemory(sql, owner, 'developer', id, { content: 'Is head of a ward in Portland' }),
        again: [nurse, `${nurse} now`],
        shown: ['Is head of a ward in Portland'],
      },
      {
        name: 'a memory that its user has edited and that is not found again',
        first: [nurse],
        between: (id, owner) => updateMemory(sql, owner, 'developer', id, { content: 'Was a nurse' }),
        again: [],
        shown: ['Was a nurse'],
      },
      {
        name: 'a memory that its user has approved',
        first: [nurse],
        between: change('user_review = true'),
        again: [`${nurse} now`],
        shown: [nurse],
      },
      {
        name: 'a memory that its user has rejected',
        first: [nurse],
        between: change('user_review = false'),
        again: [nurse],
        shown: [],
        hidden: [nurse],
      },
      {
        name: 'a memory that its user has tagged',
        first: [nurse],
        between: (id, owner) => updateMemory(sql, owner, 'developer', id, { tags: ['job'] }),
        again: [],
        shown: [nurse],
      },
      {
        name: 'a memory that another conversation has superseded',
        first: [nurse],
        between: change("invalid_at = now(), superseded_by = '8d5c1f2e-3b64-4f0e-9d3a-6f1f0a9d7c55'"),
        again: [`${nurse} now`],
        shown: [],
        hidden: [nurse],
      },
      {
        name: 'a memory that has superseded another',
        first: [nurse],
        between: async (id, owner) => {
          const old = await add(owner, 'Works as a doctor');
          await sql`update memories set invalid_at = now(), superseded_by = ${id} where id = ${old.id}`;
        },
        again: ['Owns a kayak'],
        shown: ['Owns a kayak', nurse],
        hidden: ['Works as a doctor'],
      },
    ];
    for (const { name, first, between, again, shown, hidden = [] } of cases) {
      const owner = await user();
      const talk = { id: randomUUID(), uid: owner, is_locked: false };
      const run = async (found: readonly string[]): Promise<void> => {
        const earlier = await memoriesOfConversation(sql, owner, talk.id);
        const same = await sameMemories(owner, found, earlier, null);
        const facts = found.map((content, place) => ({
          content,
          category: 'system',
          supersedes: [],
          same: same[place],
        }));
        await sql.begin((transaction) => replaceFoundMemories(transaction, talk, facts));
      };
      await run(first);
      const ids = async (content: string) =>
        (await sql`select id from memories where uid = ${owner} and content = ${content}`).map(
          ({ id }) => id,
        );
      const [id] = await ids(first[0]!);
      await between?.(id, owner);
      await run(again);
      await run(again);
      t.strictSame((await contents(owner)).sort(), [...shown].sort(), name);
      const rest = await sql`
        select content from memories where uid = ${owner} and (invalid_at is not null or user_review is false)`;
      t.strictSame(
        rest.map(({ content }) => content),
        [...hidden],
        `${name}: hidden memories remain hidden`,
      );
      if (name === 'the same') t.strictSame(await ids(nurse), [id], 'the memory keeps its id');
    }
  });
});

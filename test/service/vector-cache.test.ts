/** Tests the cache of users' vectors. It must be exact, bounded, separate for each user, and equal to the database. */
import fc from 'fast-check';
import t from 'tap';
import { loadAnalysis } from '../../src/audio/analysis.js';
import { VectorCache } from '../../src/service/search/vector-cache.js';
import { VectorSet } from '../../src/service/search/vector-set.js';
import type { Sql } from '../../src/store/client/database.js';
import type { SearchedKind } from '../../src/store/search/search.js';
import { testDatabase } from '../support/database/database.js';

const dimensions = 8;

const randomVector = (): Float32Array => {
  const vector = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

const hexOf = (vector: Float32Array): string => Buffer.from(vector.buffer).toString('hex');

/** Stores a vector as the background work does. */
const store = async (
  sql: Sql,
  uid: string,
  id: string,
  vector: Float32Array,
  kind: SearchedKind = 'post',
) => {
  await sql`insert into search_texts (uid, kind, id, at, words) values (${uid}, ${kind}, ${id}, now(), '')
    on conflict do nothing`;
  await sql`insert into search_vectors (uid, kind, id, at, vector)
    values (${uid}, ${kind}, ${id}, now(), decode(${hexOf(vector)}, 'hex'))
    on conflict (uid, kind, id) do update set vector = excluded.vector, change = excluded.change`;
};

const content = (set: VectorSet): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(
    Array.from({ length: set.size }, (_, row) => [set.idOf(row), [...set.vectorOf(row)]] as const).sort(
      ([a], [b]) => (a < b ? -1 : 1),
    ),
  );

t.test('a set contains the vectors that were put and not removed, and finds the nearest ones', async (t) => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const vector = fc.array(fc.integer({ min: -100, max: 100 }), {
    minLength: dimensions,
    maxLength: dimensions,
  });
  const step = fc.record({ id: fc.constantFrom(...ids), vector: fc.option(vector) });
  for (const core of ['auto', 'portable'] as const) {
    const { cosineTopK } = loadAnalysis(core);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), vector, (steps, asked) => {
        const set = new VectorSet(dimensions);
        const model = new Map<string, Float32Array>();
        for (const { id, vector: given } of steps) {
          const value = given && Float32Array.from(given);
          set.put({ id, at: 0, vector: value });
          if (value) model.set(id, value);
          else model.delete(id);
        }
        const query = Float32Array.from(asked);
        const cosine = (other: Float32Array): number => {
          const dot = query.reduce((sum, value, i) => sum + value * other[i]!, 0);
          const scale = Math.hypot(...query) * Math.hypot(...other);
          return scale > 0 ? dot / scale : 0;
        };
        const expected = [...model.values()].map(cosine).sort((x, y) => y - x);
        const found = cosineTopK(query, set.matrix, set.size, dimensions, 3);
        return (
          set.size === model.size &&
          [...model].every(([id, value]) => value.every((v, i) => v === set.vectorOf(set.rowOf(id)!)[i])) &&
          found.every(({ similarity }, i) => Math.abs(similarity - expected[i]!) < 1e-4)
        );
      }),
      { numRuns: 200 },
    );
  }
  t.pass('with the native and the portable kernel');
});

t.test('cache of vectors', async (t) => {
  const { sql } = await testDatabase(t);
  const mostBytes = 1_000_000;
  const cache = new VectorCache({ sql, dimensions, mostBytes });
  const rows = new Map(Array.from({ length: 5 }, (_, i) => [`p${i}`, randomVector()]));
  for (const [id, vector] of rows) await store(sql, 'ann', id, vector);

  await t.test('contains exactly the stored vectors of a user and kind', async (t) => {
    await store(sql, 'bob', 'p0', randomVector());
    await store(sql, 'ann', 'm0', randomVector(), 'memory');
    const expected = Object.fromEntries([...rows].map(([id, vector]) => [id, [...vector]]));
    t.strictSame(content((await cache.current('ann', 'post')).set), expected);
    t.equal((await cache.current('bob', 'post')).set.size, 1);
    // This user name equals the name of a kind joined with another user's name.
    t.equal((await cache.current('post ann', 'memory')).set.size, 0);
    t.equal((await cache.current('ann', 'memory')).set.size, 1);
  });

  await t.test('follows changes when their transactions commit', async (t) => {
    const changed = randomVector();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const late = sql.begin(async (transaction) => {
      await store(transaction as unknown as Sql, 'ann', 'late', changed);
      begun();
      await held;
    });
    await hasBegun;
    await store(sql, 'ann', 'p1', changed);
    const before = content((await cache.current('ann', 'post')).set);
    t.strictSame(before.p1, [...changed]);
    t.notOk('late' in before);
    release();
    await late;
    t.strictSame(content((await cache.current('ann', 'post')).set).late, [...changed]);
    await sql`update search_vectors set vector = null, change = pg_current_xact_id() where uid = 'ann' and id = 'p1'`;
    t.ok((await cache.current('ann', 'post')).missing);
    t.notOk('p1' in content((await cache.current('ann', 'post')).set), 'a changed text has no vector');
  });

  await t.test('prune removes deleted rows', async (t) => {
    await sql`delete from search_texts where uid = 'ann' and id = 'p2'`;
    await cache.prune('ann', 'post', ['p2', 'p3']);
    const left = content((await cache.current('ann', 'post')).set);
    t.notOk('p2' in left);
    t.ok('p3' in left, 'stored rows remain');
  });

  await t.test('each of several simultaneous calls sees earlier writes', async (t) => {
    const ids = Array.from({ length: 10 }, (_, i) => `x${i}`);
    await Promise.all(
      ids.map(async (id) => {
        await store(sql, 'ann', id, randomVector());
        t.ok(id in content((await cache.current('ann', 'post')).set), id);
      }),
    );
  });

  await t.test('limits its memory and removes the least recently used set', async (t) => {
    const one = (await cache.current('ann', 'post')).set.bytes;
    const small = new VectorCache({ sql, dimensions, mostBytes: 3 * one });
    for (const uid of ['u1', 'u2', 'u3', 'u4', 'u5', 'u6']) {
      await store(sql, uid, 'p', randomVector());
      t.equal((await small.current(uid, 'post')).set.size, 1);
      t.ok(small.bytes <= 3 * one);
    }
    t.ok(small.bytes > 0);
    const none = new VectorCache({ sql, dimensions, mostBytes: 1 });
    t.equal((await none.current('u1', 'post')).set.size, 1, 'a set over the limit serves its search');
    t.equal(none.bytes, 0);
  });

  await t.test('limits the vectors of a user to those with the highest ids', async (t) => {
    const few = new VectorCache({ sql, dimensions, mostBytes, mostRows: 2 });
    for (const id of ['1', '2', '3']) await store(sql, 'carl', id, randomVector());
    t.strictSame(Object.keys(content((await few.current('carl', 'post')).set)), ['2', '3']);
  });
});

import { createHash } from 'node:crypto';
import t from 'tap';
import { createUser } from '../../src/identity/users.js';
import {
  advanceGoal,
  createGoal,
  deleteGoal,
  getGoal,
  goalHistory,
  listGoals,
  updateGoal,
  updateGoalProgress,
} from '../../src/service/records/goals.js';
import { type GoalRow, insertGoal, lockGoals } from '../../src/store/records/goals.js';
import { testDatabase } from '../support/database/database.js';

t.test('goals', async (t) => {
  const { sql } = await testDatabase(t);
  let users = 0;
  const user = async (): Promise<string> => (await createUser(sql, { uid: `user-${++users}` })).uid;
  const titles = async (uid: string, inactive = false, more: object = {}): Promise<string[]> =>
    (await listGoals(sql, uid, { limit: 100, inactive, ...more })).items.map(({ title }) => title);

  await t.test('the fields of a goal give its metric', async (t) => {
    const uid = await user();
    const metric = (type: string, current: number, target: number, min: number, max: number) => ({
      goal_type: type,
      current_value: current,
      target_value: target,
      min_value: min,
      max_value: max,
      metric: { type, current, target, min, max },
    });
    const cases: [given: object, expected: object][] = [
      [
        {},
        {
          metric: null,
          goal_type: 'scale',
          target_value: 0,
          current_value: 0,
          min_value: 0,
          max_value: 10,
          unit: null,
        },
      ],
      [{ target_value: 5 }, metric('scale', 0, 5, 0, 10)],
      [
        { target_value: 50, unit: ' km ' },
        { ...metric('scale', 0, 50, 0, 50), unit: 'km' },
      ],
      [{ goal_type: 'boolean' }, metric('boolean', 0, 1, 0, 1)],
      [
        { goal_type: 'numeric', target_value: -3, min_value: -10, current_value: 99 },
        metric('numeric', 99, -3, -10, 10),
      ],
      [{ max_value: 4 }, metric('scale', 0, 4, 0, 4)],
      [{ min_value: 20 }, metric('scale', 0, 10, 20, 20)],
      [{ target_value: null, unit: null }, { metric: null }],
    ];
    for (const [given, expected] of cases) {
      const made = await createGoal(sql, uid, { title: 'g', ...given });
      t.match(made, expected, JSON.stringify(given));
      t.same(await getGoal(sql, uid, made.id), made);
    }
    const wrong: [given: object, message: RegExp][] = [
      [{ min_value: 5, max_value: 4 }, /min_value must not be above max_value/],
      [{ target_value: Number.POSITIVE_INFINITY }, /target_value must be a finite number/],
      [{ title: ' ' }, /title cannot be empty/],
      [{ title: '🧠'.repeat(501) }, /title should have at most 500/],
      [{ unit: 'x'.repeat(65) }, /unit should have at most 64/],
      [{ success_criteria: Array(21).fill('c') }, /success_criteria should have at most 20/],
    ];
    for (const [given, message] of wrong) {
      await t.rejects(createGoal(sql, uid, { title: 'g', ...given }), { message }, message.source);
    }
  });

  await t.test('stores every field', async (t) => {
    const uid = await user();
    const made = await createGoal(sql, uid, {
      title: ' Run a marathon\0 ',
      desired_outcome: 'Finish in Berlin',
      why_it_matters: 'Health',
      success_criteria: ['42 km', 'no injury'],
      horizon_at: new Date('2026-09-27T07:00:00Z'),
      status: 'focused',
      focus_rank: 1,
      source: 'imported',
    });
    t.match(made, {
      id: /^goal_[0-9a-f]{12}$/,
      goal_id: made.id,
      title: 'Run a marathon\ufffd',
      desired_outcome: 'Finish in Berlin',
      why_it_matters: 'Health',
      success_criteria: ['42 km', 'no injury'],
      horizon_at: '2026-09-27T07:00:00Z',
      status: 'focused',
      focus_rank: 1,
      source: 'imported',
      is_active: true,
      ended_at: null,
    });
    t.equal((await createGoal(sql, uid, { title: 'Plain' })).desired_outcome, 'Plain');
    const cleared = await updateGoal(sql, uid, made.id, {
      why_it_matters: null,
      horizon_at: null,
      focus_rank: null,
    });
    t.match(cleared, {
      why_it_matters: null,
      horizon_at: null,
      focus_rank: null,
      success_criteria: ['42 km', 'no injury'],
    });
    const ended = await updateGoal(sql, uid, made.id, { status: 'achieved' });
    t.match(ended, { is_active: false, ended_at: /Z$/ });
    t.match(await updateGoal(sql, uid, made.id, { status: 'abandoned' }), { ended_at: ended.ended_at });
  });

  await t.test('a change sets only its fields and does not change the history', async (t) => {
    const uid = await user();
    const made = await createGoal(sql, uid, { title: 'Read', target_value: 20, unit: 'books' });
    t.match(await updateGoal(sql, uid, made.id, { current_value: 3 }), {
      current_value: 3,
      target_value: 20,
      unit: 'books',
    });
    t.match(await updateGoal(sql, uid, made.id, { unit: null, max_value: null }), {
      unit: null,
      max_value: 20,
      current_value: 3,
    });
    t.same(await goalHistory(sql, uid, made.id, 30), []);
    await t.rejects(updateGoal(sql, uid, made.id, {}), { code: 'validation_failed' });
    await t.rejects(updateGoal(sql, uid, made.id, { title: 'New', min_value: 90 }), {
      code: 'validation_failed',
    });
    t.equal((await getGoal(sql, uid, made.id)).title, 'Read', 'a refused change has no effect');
    await t.rejects(updateGoal(sql, uid, made.id, { desired_outcome: null as never }), {
      code: 'validation_failed',
    });
  });

  await t.test('pauses the oldest goals when more than three are active', async (t) => {
    const uid = await user();
    for (const title of ['first', 'second', 'third']) await createGoal(sql, uid, { title });
    await createGoal(sql, uid, { title: 'born ended', status: 'achieved' });
    t.same(await titles(uid), ['first', 'second', 'third']);
    await createGoal(sql, uid, { title: 'fourth' });
    t.same(await titles(uid), ['second', 'third', 'fourth']);
    const all = await listGoals(sql, uid, { limit: 100, inactive: true });
    t.same(
      all.items.map(({ title }) => title),
      ['fourth', 'born ended', 'third', 'second', 'first'],
    );
    t.match(all.items.at(-1), { status: 'paused', is_active: false, ended_at: /Z$/ });
    t.same(
      await titles(uid, true, { limit: 2, offset: 1 }),
      ['born ended', 'third'],
      'the limit counts all goals',
    );
    await updateGoal(sql, uid, all.items.at(-1)!.id, { status: 'focused' });
    t.same(await titles(uid), ['first', 'third', 'fourth'], 'a resumed goal is active');
    await Promise.all(
      Array.from({ length: 9 }, (_, index) => createGoal(sql, uid, { title: `at once ${index}` })),
    );
    t.equal((await titles(uid)).length, 3);
    t.equal((await titles(uid, true)).length, 14);
  });

  await t.test('goals of the same millisecond keep the order in which they were stored', async (t) => {
    const uid = await user();
    await createGoal(sql, uid, { title: 'goal 0' });
    const [first] = await sql<GoalRow[]>`select * from goals where uid = ${uid}`;
    const { is_active: _, ...row } = { ...first!, created_at: new Date(Date.now() + 60_000) };
    await sql.begin(async (transaction) => {
      await lockGoals(transaction, uid);
      for (let index = 1; index < 6; index++) {
        const id = `goal_${'0'.repeat(11)}${6 - index}`;
        await insertGoal(transaction, uid, { ...row, id, title: `goal ${index}` }, 10);
      }
    });
    t.same(
      (await titles(uid, true)).reverse(),
      Array.from({ length: 6 }, (_, index) => `goal ${index}`),
    );
  });

  await t.test('the history has one value a day, for the requested days', async (t) => {
    const uid = await user();
    const { id } = await createGoal(sql, uid, { title: 'Water', target_value: 8 });
    const today = new Date().toISOString().slice(0, 10);
    t.equal((await updateGoalProgress(sql, uid, id, 2)).current_value, 2);
    t.equal((await updateGoalProgress(sql, uid, id, 4.5)).current_value, 4.5);
    const [entry, ...others] = await goalHistory(sql, uid, id, 1);
    t.match(entry, { date: today, value: 4.5, recorded_at: /Z$/ });
    t.same(others, []);
    await sql`
      insert into goal_history (goal_id, day, value, recorded_at)
      select ${id}, ${today}::text::date - n, n, now() from unnest(array[1, 3, 400]) n`;
    const values = async (days: number): Promise<number[]> =>
      (await goalHistory(sql, uid, id, days)).map(({ value }) => value);
    t.same(await values(2), [4.5, 1]);
    t.same(await values(3), [4.5, 1], 'days without a value count');
    t.same(await values(365), [4.5, 1, 3]);
    const plain = await createGoal(sql, uid, { title: 'Without a metric' });
    t.match(await updateGoalProgress(sql, uid, plain.id, 5), {
      current_value: 5,
      metric: { current: 5, target: 10 },
    });
    await t.rejects(updateGoalProgress(sql, uid, id, Number.NaN), { code: 'validation_failed' });
    t.equal((await values(1))[0], 4.5);
  });

  await t.test('unknown, foreign and deleted goals are not found', async (t) => {
    const uid = await user();
    const { id: foreign } = await createGoal(sql, await user(), { title: 'foreign' });
    const { id: deleted } = await createGoal(sql, uid, { title: 'deleted' });
    await updateGoalProgress(sql, uid, deleted, 1);
    await deleteGoal(sql, uid, deleted);
    const absent = { code: 'record_not_found', message: 'Goal not found' };
    for (const id of [foreign, deleted, 'goal_000000000000']) {
      await t.rejects(getGoal(sql, uid, id), absent);
      await t.rejects(updateGoal(sql, uid, id, { title: 'mine' }), absent);
      await t.rejects(updateGoal(sql, uid, id, { status: 'focused' }), absent);
      await t.rejects(updateGoalProgress(sql, uid, id, 1), absent);
      await t.rejects(goalHistory(sql, uid, id, 30), absent);
      await t.rejects(deleteGoal(sql, uid, id), absent);
    }
    t.same(await titles(uid, true), []);
  });

  await t.test('a repeated key creates one goal and pauses one goal', async (t) => {
    const uid = await user();
    for (const title of ['a', 'b', 'c']) await createGoal(sql, uid, { title });
    const made = await Promise.all(
      Array.from({ length: 6 }, () => createGoal(sql, uid, { title: 'd' }, 'key')),
    );
    t.equal(new Set(made.map(({ id }) => id)).size, 1);
    t.same(await titles(uid), ['b', 'c', 'd']);
  });

  await t.test('accepts the key of a request that an earlier version stored', async (t) => {
    const uid = await user();
    const goal = await createGoal(sql, uid, { title: 'Read', target_value: 20, why_it_matters: 'Fun' });
    const hashed = JSON.stringify({ title: 'Read', source: 'user', targetValue: 20, whyItMatters: 'Fun' });
    await sql`
      insert into idempotency_keys (uid, operation, key, fingerprint, ids)
      values (${uid}, 'goals', 'old', ${createHash('sha256').update(hashed).digest('base64url')}, ${[goal.id]})`;
    const repeated = { title: 'Read', target_value: 20, why_it_matters: 'Fun', source: 'user' } as const;
    t.same(await createGoal(sql, uid, repeated, 'old'), goal);
    t.equal((await titles(uid)).length, 1);
  });

  await t.test('pages by cursor contain every goal in both orders', async (t) => {
    const uid = await user();
    for (let count = 0; count < 7; count++) await createGoal(sql, uid, { title: `${count}` });
    for (const inactive of [true, false]) {
      const read: string[] = [];
      let cursor: string | undefined;
      do {
        const part = await listGoals(sql, uid, { limit: 2, inactive, cursor });
        read.push(...part.items.map(({ title }) => title));
        cursor = part.next ?? undefined;
      } while (cursor !== undefined);
      t.same(read, await titles(uid, inactive));
    }
  });

  await t.test('adds progress that several conversations report at the same time', async (t) => {
    const uid = await user();
    const { id } = await createGoal(sql, uid, {
      title: 'Run',
      target_value: 100,
      current_value: 20,
      unit: 'km',
    });
    const advance = (total: number | null, added: number) =>
      sql.begin((transaction) => advanceGoal(transaction, uid, id, { total, added }));
    await Promise.all([advance(null, 5), advance(null, 3), advance(null, 2)]);
    t.equal((await getGoal(sql, uid, id)).current_value, 30);
    const cases: readonly [total: number | null, added: number, value: number][] = [
      [50, 2, 52],
      [null, 49, 52],
      [101, 0, 52],
      [null, -60, 52],
      [100, 0, 100],
    ];
    for (const [total, added, value] of cases) {
      await advance(total, added);
      t.equal((await getGoal(sql, uid, id)).current_value, value, `total ${total}, added ${added}`);
    }
    t.match(await goalHistory(sql, uid, id, 1), [{ value: 100 }]);
    await updateGoal(sql, uid, id, { status: 'paused' });
    await advance(10, 0);
    t.equal((await getGoal(sql, uid, id)).current_value, 100, 'a paused goal does not change');
  });
});

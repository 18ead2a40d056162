/** The daily token limit of a user, which several sidecars share. */
import t from 'tap';
import { tokenBudget } from '../../src/service/rules/token-budget.js';
import { connectDatabase } from '../../src/store/client/database.js';
import { sweepModelTokens } from '../../src/store/jobs/model-tokens.js';
import { testDatabase } from '../support/database/database.js';

t.test('tokens of a user and day', async (t) => {
  const { sql, url } = await testDatabase(t);
  const other = connectDatabase(url, { max: 4 });
  t.teardown(() => other.end({ timeout: 1 }));
  const [one, another] = [tokenBudget(sql, 1000), tokenBudget(other, 1000)];
  const asked = Array.from({ length: 30 }, (_, turn) => (turn % 2 ? one : another).reserve('ann', 100));
  const granted = (await Promise.all(asked)).filter(Boolean).length;
  t.equal(granted, 10, 'together never more than the bound');
  t.equal(await one.reserve('bob', 1000), true, 'each user has a bound of their own');
  t.equal(await one.reserve('eve', 1001), false);

  await one.settle('ann', 100, 40);
  t.equal(await another.reserve('ann', 61), false);
  t.equal(await another.reserve('ann', 60), true, 'what was not used is given back');
  await one.settle('ann', 60, 300);
  t.equal(await another.reserve('ann', 1), false, 'what was used beyond counts');

  await sql`update model_tokens set day = day - 3 where uid = 'ann'`;
  t.equal(await one.reserve('ann', 1000), true, 'another day, another bound');
  await sweepModelTokens(sql);
  const rows = await sql<{ uid: string }[]>`select uid from model_tokens order by uid`;
  t.same(
    rows.map(({ uid }) => uid),
    ['ann', 'bob'],
    'past days are removed',
  );

  const unbounded = tokenBudget(sql, 0);
  t.equal(await unbounded.reserve('zoe', 1e12), true);
  await unbounded.settle('zoe', 1e12, 5);
  const [counted] = await sql`select count(*)::integer as rows from model_tokens where uid = 'zoe'`;
  t.equal(counted!.rows, 0);
});

/** A user's memories are counted only near the limit, not for each new one. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { developerScopes } from '../../../src/identity/scopes.js';
import { startApi } from '../support.js';

const path = '/v1/dev/user/memories';
const most = fixedLimits.memoriesPerUser.value;

t.test('the last memory of a user is the last one, also for a key that is known', async (t) => {
  const api = await startApi(t);
  const ann = await api.person(developerScopes, 'Ann');
  const ben = await api.person(developerScopes, 'Ben');
  const create = (credential = ann.key) => api.call(path, { credential, body: { content: 'Likes tea' } });
  const fill = (uid: string, count: number) => api.sql`
    insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, created_at, updated_at)
    select gen_random_uuid(), ${uid}, 'Likes trains', 'habits', 'private', true, true, '01_999_1', now(), now()
    from generate_series(1, ${count}::integer)`;
  const shown = async (uid: string): Promise<number> => {
    const [row] = await api.sql<
      { count: number }[]
    >`select count(*)::integer as count from memories where uid = ${uid}`;
    return row!.count;
  };
  // The first request caches the key. The second is counted by the statement that does its work.
  for (const { key } of [ann, ben]) for (const _ of [1, 2]) t.equal((await create(key)).status, 200);
  t.equal((await create()).status, 200, 'without counting');
  await fill(ben.uid, most);
  t.equal((await create(ben.key)).status, 200, 'a place that was given away before');

  const cid = await api.person(developerScopes, 'Cid');
  await fill(cid.uid, most - 33);
  t.equal((await create(cid.key)).status, 200);
  // After a count, a sixteenth of the records left may be created without another count.
  const answers: number[] = [];
  for (let number = 0; number < 40; number++) answers.push((await create(cid.key)).status);
  t.same(
    answers,
    Array.from({ length: 40 }, (_, number) => (number < 32 ? 200 : 409)),
  );
  t.equal(await shown(cid.uid), most);
  t.match(await create(cid.key), { body: { detail: `A user may have at most ${most} memories` } });
  const [first] = (await api.call(`${path}?limit=1`, { credential: cid.key })).body;
  t.equal((await api.call(`${path}/${first.id}`, { credential: cid.key, method: 'DELETE' })).status, 200);
  t.equal((await create(cid.key)).status, 200, 'a place that was made free');
  t.equal((await create(cid.key)).status, 409);
  // Other users' records count only for them.
  t.equal((await create()).status, 200);
});

/** The service counts a user's memories only near their limit, because counting for each new memory is slow. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { developerScopes } from '../../../src/identity/scopes.js';
import { startApi } from '../support.js';

const path = '/v1/dev/user/memories';
const most = fixedLimits.memoriesPerUser.value;

t.test('a user gets exactly the maximum number of memories, also with a cached key', async (t) => {
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
  // The first request caches the key. For the second request, one SQL statement checks the key, does the work and
  // counts the memories.
  for (const { key } of [ann, ben]) for (const _ of [1, 2]) t.equal((await create(key)).status, 200);
  t.equal((await create()).status, 200, 'allowed without another count');
  await fill(ben.uid, most);
  t.equal((await create(ben.key)).status, 200, 'an earlier count reserved this memory');

  const cid = await api.person(developerScopes, 'Cid');
  await fill(cid.uid, most - 33);
  t.equal((await create(cid.key)).status, 200);
  // After a count, the service allows a sixteenth of the remaining memories without another count.
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
  t.equal((await create(cid.key)).status, 200, 'a deletion makes room for one');
  t.equal((await create(cid.key)).status, 409);
  // Another user's memories do not count.
  t.equal((await create()).status, 200);
});

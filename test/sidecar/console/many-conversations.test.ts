/** Tests changes of several conversations in one request of the console. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { consoleHeaders, consoleSession, fromSegments, said, startApi } from '../support.js';

t.test('changes of several conversations', async (t) => {
  const api = await startApi(t);
  const { sql } = api;
  const [ann, eve] = [await api.person(), await api.person()];
  const headers = consoleHeaders(api, await consoleSession(sql, ann.uid));
  const made = async ({ key }: typeof ann): Promise<string> => {
    const transcript_segments = [said('We meet at noon.'), said('Fine.')];
    const { body } = await api.call(fromSegments, { credential: key, body: { transcript_segments } });
    return body.id as string;
  };
  const change = (body: object) => api.call('/console/api/conversations/batch', { headers, body });
  const rowOf = async (id: string) => {
    const [row] = await sql`
      select starred, folder_id, deleted_at is not null as deleted from conversations where id = ${id}`;
    return row!;
  };

  await t.test('each id has a result, and foreign ones are absent', async (t) => {
    const [own, second, foreign, locked] = [
      await made(ann),
      await made(ann),
      await made(eve),
      await made(ann),
    ];
    await sql`update conversations set is_locked = true where id = ${locked}`;
    const ids = [own, foreign, randomUUID(), 'nonsense', locked, second, own];
    const results = ['done', 'absent', 'absent', 'absent', 'locked', 'done', 'done'];
    for (const common of [{ action: 'star', starred: true }, { action: 'delete' }]) {
      const { status, body } = await change({ ids, ...common });
      t.equal(status, 200);
      t.same(
        body,
        ids.map((id, at) => ({ id, result: results[at] })),
      );
    }
    t.match(await rowOf(own), { deleted: true });
    t.match(await rowOf(foreign), { starred: false, deleted: false });
    t.match(await rowOf(locked), { starred: false, deleted: false });
  });

  await t.test('moves into a folder and out of it', async (t) => {
    const ids = [await made(ann), await made(ann)];
    const created = await api.call('/console/api/folders', { headers, body: { name: 'Garden' } });
    const folder_id = created.body.id as string;
    t.equal((await change({ ids, action: 'move', folder_id })).status, 200);
    for (const id of ids) t.equal((await rowOf(id)).folder_id, folder_id);
    await change({ ids: [ids[0]], action: 'move', folder_id: null });
    t.equal((await rowOf(ids[0]!)).folder_id, null);
    const hers = consoleHeaders(api, await consoleSession(sql, eve.uid));
    const foreign = await api.call('/console/api/folders', { headers: hers, body: { name: 'Hers' } });
    for (const other of [foreign.body.id, randomUUID(), 'nonsense'])
      t.equal((await change({ ids, action: 'move', folder_id: other })).status, 404);
    t.equal((await rowOf(ids[1]!)).folder_id, folder_id);
  });

  await t.test('refused requests', async (t) => {
    const ids = Array.from({ length: 101 }, () => randomUUID());
    t.equal((await change({ ids, action: 'delete' })).status, 422);
    t.equal((await change({ ids: ids.slice(1), action: 'delete' })).status, 200);
    for (const body of [
      { ids: [], action: 'delete' },
      { ids: ids.slice(1), action: 'read' },
      { ids: [1], action: 'delete' },
    ])
      t.equal((await change(body)).status, 422);
  });
});

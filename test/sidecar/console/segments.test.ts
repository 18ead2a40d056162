/**
 * Tests the transcript that users correct at the console: pages, changes of texts, and the transcript that readers then
 * get.
 */
import t from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { consoleHeaders, consoleSession, conversations, fromSegments, said, startApi } from '../support.js';

t.test('corrected texts', async (t) => {
  const api = await startApi(t);
  const { sql } = api;
  const { uid, key, token } = await api.person();
  const headers = consoleHeaders(api, await consoleSession(sql, uid));
  const made = async (texts: readonly string[]): Promise<string> => {
    const transcript_segments = texts.map((text, at) => said(text, at * 5, at * 5 + 4));
    const { body } = await api.call(fromSegments, { credential: key, body: { transcript_segments } });
    return body.id as string;
  };
  const read = (id: string, query = '') =>
    api.call(`/console/api/conversations/${id}/segments${query}`, { headers });
  const change = (id: string, segment: string, body: object, as = headers) =>
    api.call(`/console/api/conversations/${id}/segments/${segment}`, { method: 'PATCH', headers: as, body });

  await t.test('a transcript is read in pages', async (t) => {
    const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'];
    const id = await made(texts);
    const found: string[] = [];
    let query = '?limit=2';
    for (let pages = 0; pages < 3; pages++) {
      const { status, body, headers: answered } = await read(id, query);
      t.equal(status, 200);
      found.push(...body.map(({ text }: { text: string }) => text));
      query = `?limit=2&cursor=${answered.get('x-next-cursor')}`;
    }
    t.same(found, texts);
    t.equal((await read(id)).headers.get('x-next-cursor'), null);
    t.equal((await read(id, '?cursor=nonsense')).status, 422);
  });

  await t.test('long texts end a page early', async (t) => {
    const id = await made(Array.from({ length: 45 }, (_, at) => `${at} `.padEnd(20_000, 'w')));
    await sql`update segments set text = text || text || text where conversation_id = ${id}`;
    const lengths: number[] = [];
    for (let query = ''; ; ) {
      const { body, headers: answered } = await read(id, query);
      lengths.push(body.length);
      const cursor = answered.get('x-next-cursor');
      if (cursor === null) break;
      query = `?cursor=${cursor}`;
    }
    t.same(lengths, [18, 18, 9], 'a page has at most a megabyte');
  });

  await t.test('readers and the search see a new text at once', async (t) => {
    const id = await made(['I am allergic to peanut.', 'Noted.']);
    const [segment] = (await read(id)).body;
    const { status, body } = await change(id, segment.id, {
      text: ' I am allergic to walnuts. ',
      revision: segment.revision,
    });
    t.match(
      [status, body],
      [200, { text: 'I am allergic to walnuts.', by_user: true, revision: segment.revision + 1 }],
    );
    const stored = await api.call(`${conversations}/${id}?include_transcript=true`, { credential: key });
    t.equal(stored.body.transcript_segments[0].text, 'I am allergic to walnuts.');
    const [found] = await sql`
      select words @@ to_tsquery('english', 'walnut') as now, words @@ to_tsquery('english', 'zebra') as other
      from search_texts where uid = ${uid} and id = ${id}`;
    t.match(found, { now: true, other: false });
    const [step] = await sql`
      select state, due_at > now() + interval '50 s' as later from steps where key = ${id} and step = 'structure'`;
    t.match(step, { state: 'waiting', later: true }, 'one summary follows several corrections');
  });

  await t.test('a change of another revision is refused with a remedy', async (t) => {
    const id = await made(['One.', 'Two.']);
    const [segment] = (await read(id)).body;
    t.equal((await change(id, segment.id, { text: 'First.', revision: segment.revision })).status, 200);
    const second = await change(id, segment.id, { text: 'Second.', revision: segment.revision });
    t.match(second, { status: 409, body: { detail: /has changed since it was read/ } });
    t.equal((await read(id)).body[0].text, 'First.');
  });

  await t.test('a text that does not change keeps the revision', async (t) => {
    const id = await made(['One.', 'Two.']);
    const [segment] = (await read(id)).body;
    const same = await change(id, segment.id, { text: segment.text, revision: segment.revision });
    t.match(same.body, { revision: segment.revision, by_user: false });
  });

  await t.test('refused changes', async (t) => {
    const id = await made(['One.', 'Two.']);
    const [segment] = (await read(id)).body;
    const { revision } = segment;
    const stranger = (await createUser(sql, { uid: 'stranger', name: 'Eve' })).uid;
    const foreign = consoleHeaders(api, await consoleSession(sql, stranger));
    t.equal((await change(id, segment.id, { text: 'x', revision }, foreign)).status, 404);
    t.equal((await change(id, 'unknown', { text: 'x', revision })).status, 404);
    t.equal((await change('unknown', segment.id, { text: 'x', revision })).status, 404);
    for (const text of ['', ' \n', 'x'.repeat(20_001)])
      t.equal((await change(id, segment.id, { text, revision })).status, 422);
    await sql`update conversations set status = 'in_progress' where id = ${id}`;
    t.match(await change(id, segment.id, { text: 'x', revision }), {
      status: 409,
      body: { detail: /not been processed yet/ },
    });
    await sql`update conversations set status = 'completed', is_locked = true where id = ${id}`;
    t.equal((await change(id, segment.id, { text: 'x', revision })).status, 402);
    t.equal((await read(id)).status, 404);
  });

  await t.test('a conversation stays below its size', async (t) => {
    const id = await made(['One.', 'Two.']);
    const [first, second] = (await read(id)).body;
    await sql`update segments set text = repeat('word ', 419424) where conversation_id = ${id} and id = ${second.id}`;
    const refused = await change(id, first.id, { text: 'x'.repeat(100), revision: first.revision });
    t.match(refused, { status: 409, body: { detail: /at most 2097152 characters/ } });
    t.equal((await change(id, first.id, { text: 'Uno.', revision: first.revision })).status, 200);
  });

  await t.test('processing a conversation again keeps corrected segments', async (t) => {
    const id = await made(['One fine day.', 'Two fine days.']);
    const [segment] = (await read(id)).body;
    await change(id, segment.id, { text: 'A fine day.', revision: segment.revision });
    const asked = await api.call(`/v1/conversations/${id}/reprocess`, { method: 'POST', credential: token });
    t.equal(asked.status, 200);
    t.match((await read(id)).body, [{ text: 'A fine day.', by_user: true }, { text: 'Two fine days.' }]);
  });
});

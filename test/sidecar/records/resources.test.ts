/** Tests requests and answers of the routes for memories, action items, goals, folders and people. */
import t from 'tap';
import { developerScopes } from '../../../src/identity/scopes.js';
import { createLogger } from '../../../src/log/logger.js';
import { startSidecar } from '../../../src/sidecar/start-sidecar.js';
import { type Answer, type Request, startApi } from '../support.js';

const root = '/v1/dev/user';

t.test('records of the developer API', async (t) => {
  const api = await startApi(t);
  const ann = await api.person(developerScopes, 'Ann');
  const ben = await api.person(developerScopes, 'Ben');
  const call = (path: string, request: Request = {}): Promise<Answer> =>
    api.call(path, { credential: ann.key, ...request });
  const own = (path: string, request: Request = {}): Promise<Answer> =>
    api.call(path, { credential: ann.token, ...request });

  await t.test('memories', async (t) => {
    const made = await call(`${root}/memories`, {
      body: { content: 'Likes tea', category: 'habits', tags: ['t'] },
    });
    t.match(made, { status: 200, body: { content: 'Likes tea', category: 'habits', visibility: 'private' } });
    const path = `${root}/memories/${made.body.id}`;
    t.same((await call(path)).body, made.body);
    t.same((await call(`${root}/memories`)).body, [made.body]);
    t.same((await call(`${root}/memories?categories=work,,%20core`)).body, []);
    t.match(await call(`${root}/memories?categories=manual`), {
      status: 400,
      body: { detail: /^Invalid category / },
    });
    t.match(await call(path, { method: 'PATCH', body: { tags: [], visibility: 'public' } }), {
      status: 200,
      body: { tags: [], visibility: 'public', content: 'Likes tea' },
    });
    for (const category of 'core hobbies lifestyle interests habits work skills learnings other system'.split(
      ' ',
    )) {
      const one = await call(`${root}/memories`, { body: { content: `About ${category}`, category } });
      t.match(one, { status: 200, body: { category } });
      const listed = (await call(`${root}/memories?categories=${category}`)).body;
      t.ok(listed.some(({ id }: { id: string }) => id === one.body.id));
      t.ok(listed.every((row: { category: string }) => row.category === category));
    }
    t.match(await call(path, { method: 'PATCH', body: { content: 'Likes coffee', category: 'lifestyle' } }), {
      status: 200,
      body: { content: 'Likes coffee', category: 'lifestyle', visibility: 'public' },
    });
    const all = (await call(`${root}/memories`)).body;
    t.same((await call(`${root}/memories?limit=3&offset=2`)).body, all.slice(2, 5));
    const batch = { memories: [{ content: 'One' }, { content: 'Two' }] };
    t.match(await call(`${root}/memories/batch`, { body: batch }), {
      status: 200,
      body: { created_count: 2 },
    });
    t.same((await call(`${root}/memories/batch`, { body: { memories: [] } })).body, {
      memories: [],
      created_count: 0,
    });
    t.same((await call(path, { method: 'DELETE' })).body, { success: true });
    t.match(await call(path), { status: 404, body: { detail: 'Memory not found' } });
  });

  await t.test('action items', async (t) => {
    const made = await call(`${root}/action-items`, {
      body: { description: 'Call Ben', due_at: '2026-05-01' },
    });
    t.match(made, {
      status: 200,
      body: { description: 'Call Ben', due_at: '2026-05-01T00:00:00Z', completed: false },
    });
    const path = `${root}/action-items/${made.body.id}`;
    t.same((await call(path)).body, made.body);
    const done = await call(path, { method: 'PATCH', body: { completed: true, due_at: null } });
    t.match(done, { status: 200, body: { completed: true, due_at: null, completed_at: /Z$/ } });
    t.same((await call(`${root}/action-items?completed=true`)).body, [done.body]);
    t.same((await call(`${root}/action-items?completed=0`)).body, []);
    const today = new Date().toISOString().slice(0, 10);
    t.same(
      (await call(`${root}/action-items?start_date=${today}&end_date=${today}`)).body,
      [done.body],
      'the end date includes its whole day',
    );
    t.same((await call(`${root}/action-items?end_date=2026-01-01`)).body, []);
    const batch = { action_items: [{ description: 'One' }, { description: 'Two' }] };
    t.match(await call(`${root}/action-items/batch`, { body: batch }), {
      status: 200,
      body: { created_count: 2 },
    });
    t.same((await call(path, { method: 'DELETE' })).body, { success: true });
    t.match(await call(path, { method: 'DELETE' }), {
      status: 404,
      body: { detail: 'Action item not found' },
    });
  });

  await t.test('goals', async (t) => {
    const body = { title: 'Read', goal_type: 'numeric', target_value: 20, unit: 'books' };
    const made = await call(`${root}/goals`, { body });
    t.match(made, { status: 200, body: { ...body, max_value: 20, is_active: true, metric: { target: 20 } } });
    const path = `${root}/goals/${made.body.id}`;
    const progress = (query: string, sent?: object): Promise<Answer> =>
      call(`${path}/progress${query}`, { method: 'PATCH', ...(sent && { body: sent }) });
    t.match(await progress('?current_value=2.5'), { status: 200, body: { current_value: 2.5 } });
    t.match(await progress('', { current_value: 3 }), { status: 200, body: { current_value: 3 } });
    t.match(await progress('?current_value=4', { current_value: 9 }), {
      status: 200,
      body: { current_value: 4 },
    });
    for (const [query, sent] of [
      ['', undefined],
      ['', {}],
    ] as const) {
      t.match(await progress(query, sent), {
        status: 422,
        body: { detail: [{ type: 'missing', loc: ['query', 'current_value'] }] },
      });
    }
    t.match(await progress('?current_value=inf'), { status: 422 });
    for (const goal_type of ['boolean', 'scale', 'numeric']) {
      const typed = await call(`${root}/goals`, { body: { title: goal_type, goal_type, status: 'paused' } });
      t.match(typed, { status: 200, body: { goal_type } });
      await call(`${root}/goals/${typed.body.id}`, { method: 'DELETE' });
    }
    t.match(await call(`${path}/history?days=1`), { status: 200, body: [{ value: 4, recorded_at: /Z$/ }] });
    t.match(await call(`${root}/goals/goal_0/history`), { status: 404, body: { detail: 'Goal not found' } });
    t.match(await call(path, { method: 'PATCH', body: { unit: null, title: 'Read more' } }), {
      status: 200,
      body: { unit: null, title: 'Read more', target_value: 20 },
    });
    for (const title of ['b', 'c', 'd']) await call(`${root}/goals`, { body: { title } });
    t.same(
      (await call(`${root}/goals`)).body.map(({ title }: { title: string }) => title),
      ['b', 'c', 'd'],
    );
    t.equal((await call(`${root}/goals?include_inactive=true&limit=2`)).body.length, 2);
    t.equal((await call(path)).body.is_active, false);
    t.same((await call(path, { method: 'DELETE' })).body, { success: true });
    t.match(await call(path), { status: 404 });
  });

  await t.test('a developer key reads folders, and an ID token writes them', async (t) => {
    t.same((await call(`${root}/folders`)).body, []);
    t.equal((await own('/v1/folders')).body.length, 3);
    t.equal((await call(`${root}/folders`)).body.length, 3);
    const made = await own('/v1/folders', { body: { name: 'Trips' } });
    t.match(made, { status: 200, body: { name: 'Trips', order: 3, is_system: false } });
    const path = `/v1/folders/${made.body.id}`;
    t.match(await own(path, { method: 'PATCH', body: { name: 'Journeys', order: 0 } }), {
      body: { name: 'Journeys', order: 0 },
    });
    t.equal(
      (await own('/v1/folders/order', { method: 'PUT', body: { folder_ids: [made.body.id] } })).body[0].name,
      'Journeys',
      'folders that are not named follow',
    );
    t.match(await own(`${path}?move_to_folder_id=nonsense`, { method: 'DELETE' }), { status: 404 });
    t.same((await own(path, { method: 'DELETE' })).body, { success: true });
    t.match(await call('/v1/folders'), { status: 401 });
  });

  await t.test('people', async (t) => {
    const made = await own('/v1/users/people', { body: { name: 'Ben' } });
    const path = `/v1/users/people/${made.body.id}`;
    t.match(await own(path, { method: 'PATCH', body: { name: 'Benjamin' } }), {
      status: 200,
      body: { name: 'Benjamin' },
    });
    t.match(await own('/v1/users/people'), { status: 200, body: [{ name: 'Benjamin' }] });
    t.match(await api.call(path, { credential: ben.token }), {
      status: 404,
      body: { detail: 'Person not found' },
    });
    t.same((await own(path, { method: 'DELETE' })).body, { success: true });
    t.match(await own(path), { status: 404 });
  });

  await t.test('conversations are created from texts, changed and deleted', async (t) => {
    const made = await call(`${root}/conversations`, {
      body: { text: 'We met the lawyer at the court.', session_id: 's' },
    });
    t.match(made, { status: 200, body: { status: 'completed', discarded: false } });
    const path = `${root}/conversations/${made.body.id}`;
    const changed = await call(path, { method: 'PATCH', body: { title: 'Court', starred: true } });
    t.match(changed, {
      status: 200,
      body: { structured: { title: 'Court' }, starred: true, transcript_segments: [] },
    });
    t.match(await call(`${root}/conversations?starred=true&categories=legal`), {
      body: [{ id: made.body.id, folder_name: 'Work' }],
    });
    t.match(await call(path, { method: 'PATCH', body: { folder_id: 'nonsense' } }), {
      status: 404,
      body: { detail: 'Folder not found' },
    });
    t.same((await call(path, { method: 'DELETE' })).body, { success: true });
    t.match(await call(path), { status: 404 });
    const again = await call(`${root}/conversations`, { body: { text: 'Again.', client_session_id: 's' } });
    t.same(again.body, { id: made.body.id, status: 'deleted', discarded: true });
  });

  await t.test('validation errors name their field, and changes of locked records need a plan', async (t) => {
    const { body: memory } = await call(`${root}/memories`, { body: { content: 'Locked' } });
    const { body: item } = await call(`${root}/action-items`, { body: { description: 'Locked' } });
    const { body: talk } = await call(`${root}/conversations`, { body: { text: 'Locked' } });
    await api.sql`update memories set is_locked = true where id = ${memory.id}`;
    await api.sql`update action_items set is_locked = true where id = ${item.id}`;
    await api.sql`update conversations set is_locked = true where id = ${talk.id}`;
    t.equal((await call(`${root}/action-items/${item.id}`)).status, 402, 'a locked task by its id');
    for (const [path, patch] of [
      [`${root}/memories/${memory.id}`, { content: 'x' }],
      [`${root}/action-items/${item.id}`, { completed: true }],
      [`${root}/conversations/${talk.id}`, { title: 'x' }],
    ] as const) {
      const detail = /^A paid plan is required to access this (memory|action item|conversation)\.$/;
      t.match(await call(path, { method: 'PATCH', body: patch }), { status: 402, body: { detail } }, path);
      t.match(await call(path, { method: 'DELETE' }), { status: 402, body: { detail } }, path);
      t.match(
        await call(path, { method: 'PATCH', body: {} }),
        { status: 422 },
        'an empty change is reported first',
      );
    }
    const cases: [path: string, method: string, body: unknown, loc: (string | number)[]][] = [
      ['memories', 'POST', { content: ' ' }, ['body', 'content']],
      ['memories', 'POST', { content: '🧠'.repeat(501) }, ['body', 'content']],
      ['memories', 'POST', { content: 'a', visibility: 'all' }, ['body', 'visibility']],
      ['memories', 'POST', { content: 'a', category: 'interesting' }, ['body', 'category']],
      ['memories', 'POST', { content: 'a', tags: null }, ['body', 'tags']],
      [
        'memories/batch',
        'POST',
        { memories: [{ content: 'a' }, { content: '' }] },
        ['body', 'memories', 1, 'content'],
      ],
      ['memories/batch', 'POST', { memories: Array(26).fill({ content: 'a' }) }, ['body', 'memories']],
      [`memories/${memory.id}`, 'PATCH', { content: null }, ['body', 'content']],
      ['action-items', 'POST', { description: 'a', due_at: 'soon' }, ['body', 'due_at']],
      [
        'action-items/batch',
        'POST',
        { action_items: Array(51).fill({ description: 'a' }) },
        ['body', 'action_items'],
      ],
      ['goals', 'POST', { title: 'a', goal_type: 'huge' }, ['body', 'goal_type']],
      ['goals', 'POST', { title: 'a', min_value: 5, max_value: 1 }, ['body', 'min_value']],
      ['goals/goal_0', 'PATCH', { title: null }, ['body', 'title']],
      ['conversations', 'POST', { text: 'a', text_source: 'dream' }, ['body', 'text_source']],
      ['conversations', 'POST', { text: 'a', language: 'ENGLISH!' }, ['body', 'language']],
      ['memories?cursor=x', 'GET', undefined, ['query', 'cursor']],
      ['action-items?end_date=0000-01-01', 'GET', undefined, ['query', 'end_date']],
    ];
    for (const [path, method, body, loc] of cases) {
      const answer = await call(`${root}/${path}`, { method, body });
      t.match(
        answer,
        { status: 422, body: { detail: [{ loc, msg: /.+/, type: /.+/ }] } },
        `${path} ${JSON.stringify(body)?.slice(0, 60)}`,
      );
    }
  });

  await t.test('refuses a cursor that no list has returned', async (t) => {
    const id = '0198a4f2-7f2b-7c3e-9a41-2d1c5b6e7f80';
    const now = '2026-03-01T10:00:00Z';
    const times = [
      `2026-03-01T10:00:00.${'1'.repeat(200)}Z`,
      '0000-12-31T23:59:59Z',
      '2016-12-31T23:59:60Z',
      'infinity\0',
    ];
    for (const time of times) {
      for (const [list, ...position] of [
        ['memories', '01_999', time, id],
        ['action_items', 'false', time, now, id],
        ['action_items', 'false', now, time, id],
        ['goals', time, 'goal_0'],
        ['conversations', time, id],
      ]) {
        const cursor = Buffer.from(JSON.stringify([list, position])).toString('base64url');
        const path = `${root}/${list!.replace('_', '-')}?cursor=${cursor}`;
        t.match(await call(path), { status: 422 }, `${list} ${time.slice(0, 30)}`);
      }
    }
  });

  await t.test('pages by cursor contain every row once', async (t) => {
    const { key } = await api.person(developerScopes);
    const texts = Array.from({ length: 25 }, (_, index) => ({ content: `memory ${index}` }));
    await call(`${root}/memories/batch`, { credential: key, body: { memories: texts } });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Answer = await call(`${root}/memories?limit=7${cursor ? `&cursor=${cursor}` : ''}`, {
        credential: key,
      });
      seen.push(...page.body.map(({ content }: { content: string }) => content));
      cursor = page.headers.get('x-next-cursor');
    } while (cursor !== null);
    t.same(seen.toSorted(), texts.map(({ content }) => content).toSorted());
  });

  await t.test('repeated creations at two sidecars create one record', async (t) => {
    const other = await startSidecar({
      settings: api.settings,
      databaseUrl: api.url,
      log: createLogger('test', 'silent'),
      checkAnswers: true,
    });
    t.teardown(() => other.close());
    const bases = [api.base, `http://127.0.0.1:${other.port}`];
    const cases: [path: string, body: object, credential: string][] = [
      [`${root}/memories`, { content: 'Once' }, ben.key],
      [`${root}/action-items`, { description: 'Once' }, ben.key],
      [`${root}/goals`, { title: 'Once' }, ben.key],
      [`${root}/conversations`, { text: 'Once upon a time there was a king.' }, ben.key],
      ['/v1/folders', { name: 'Once' }, ben.token],
      ['/v1/users/people', { name: 'Once' }, ben.token],
    ];
    for (const [path, body, credential] of cases) {
      const sent = async (index: number): Promise<string> => {
        const answer = await fetch(bases[index % 2] + path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${credential}`,
            'content-type': 'application/json',
            ...(index % 4 < 2 ? { 'idempotency-key': 'the-key' } : {}),
          },
          body: JSON.stringify({ ...body, ...(index % 4 < 2 ? {} : { client_session_id: 'the-session' }) }),
        });
        t.equal(answer.status, 200, path);
        return ((await answer.json()) as { id: string }).id;
      };
      const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => sent(index)));
      t.equal(new Set(ids).size, 2, `${path}: one record for each key`);
    }
    const conflict = await call(`${root}/memories`, {
      credential: ben.key,
      body: { content: 'Another' },
      headers: { 'idempotency-key': 'the-key' },
    });
    t.match(conflict, {
      status: 409,
      body: { detail: 'This Idempotency-Key was used with another request' },
    });
  });
});

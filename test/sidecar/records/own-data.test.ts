/**
 * Records that a user's own applications write: settings, profile, posts, screen activity, daily summaries, chat
 * messages.
 */
import t from 'tap';
import { posts } from '../../../src/service/records/own-records.js';
import { type Answer, type Request, startApi } from '../support.js';

t.test("records of a user's own applications", async (t) => {
  const api = await startApi(t);
  const ann = await api.person(undefined, 'Ann');
  const ben = await api.person(undefined, 'Ben');
  const call = (path: string, request: Request = {}): Promise<Answer> =>
    api.call(path, { credential: ann.token, ...request });

  await t.test('settings: an absent field keeps its value, and null restores the default', async (t) => {
    const path = '/v1/users/settings';
    const before = {
      name: 'Ann',
      language: null,
      languages: [],
      single_language_mode: false,
      time_zone: 'UTC',
      voice_recognition: true,
      merge_devices: false,
      custom_words: [],
    };
    t.same((await call(path)).body, before);
    const patch = {
      language: 'pt-BR',
      languages: ['pt_BR', ' en ', 'pt-BR'],
      time_zone: 'europe/berlin',
      single_language_mode: true,
      voice_recognition: false,
      merge_devices: true,
      custom_words: ['Nadia Okafor', 'Kubernetes'],
    };
    const after = { ...before, ...patch, languages: ['pt-BR', 'en'], time_zone: 'Europe/Berlin' };
    t.same((await call(path, { method: 'PATCH', body: patch })).body, after);
    t.same((await call(path)).body, after);
    t.same(
      (
        await call(path, {
          method: 'PATCH',
          body: { time_zone: null, language: null, languages: null, name: null },
        })
      ).body,
      {
        name: null,
        language: null,
        languages: [],
        single_language_mode: true,
        time_zone: 'UTC',
        voice_recognition: false,
        merge_devices: true,
        custom_words: ['Nadia Okafor', 'Kubernetes'],
      },
    );
    for (const [field, value] of [
      ['time_zone', 'Mars/Olympus'],
      ['time_zone', '+05:00'],
      ['language', 'ENGLISH!'],
      ['languages', ['ENGLISH!']],
      ['languages', ['multi']],
      ['languages', ['']],
      ['languages', 'en'],
      ['languages', Array.from({ length: 11 }, () => 'en')],
      ['single_language_mode', null],
      ['merge_devices', 'perhaps'],
      ['name', 'x'.repeat(101)],
      ['custom_words', 'Okafor'],
      ['custom_words', null],
      ['custom_words', ['x'.repeat(51)]],
      ['custom_words', new Array(101).fill('x')],
      ['custom_words', ['Okafor', 7]],
    ] as const) {
      t.match(await call(path, { method: 'PATCH', body: { [field]: value } }), {
        status: 422,
        body: { detail: [{ loc: ['body', field] }] },
      });
    }
    t.match(await call(path, { method: 'PATCH', body: {} }), { status: 422 });
    const words = async (custom_words: readonly string[]) =>
      (await call(path, { method: 'PATCH', body: { custom_words } })).body.custom_words;
    const spoken = [' Zoë  van\tDijk ', 'zoë van dijk', '', ' ', '日本語', '\u{1f600}'.repeat(50)];
    t.same(await words(spoken), ['Zoë van Dijk', '日本語', '\u{1f600}'.repeat(50)]);
    t.same(await words([]), []);
    t.equal((await api.call(path, { credential: ben.token })).body.name, 'Ben');
  });

  await t.test('a profile is written, replaced and deleted', async (t) => {
    const path = '/v1/users/profile';
    t.match(await call(path), { status: 404, body: { detail: 'Profile not found' } });
    await call(path, { method: 'PUT', body: { profile_text: 'First', data_sources_used: ['memories'] } });
    t.match(
      await call(path, { method: 'PUT', body: { profile_text: 'Second', generated_at: '2026-01-01' } }),
      {
        status: 200,
        body: { profile_text: 'Second', data_sources_used: [], generated_at: '2026-01-01T00:00:00Z' },
      },
    );
    t.equal((await call(path)).body.profile_text, 'Second');
    t.equal((await api.call(path, { credential: ben.token })).status, 404);
    t.equal((await call(path, { method: 'DELETE' })).status, 204);
    t.equal((await call(path)).status, 404);
  });

  const kinds: [path: string, field: string, body: object, text: string][] = [
    ['/v1/posts', 'posts', { kind: 'tweet', text: 'The garden is ready.' }, 'text'],
    ['/v1/screen-activity', 'screen_activity', { app_name: 'Editor', window_title: 'plan' }, 'app_name'],
    ['/v1/chat/messages', 'messages', { sender: 'human', text: 'Hello' }, 'text'],
  ];
  for (const [path, field, body, text] of kinds) {
    await t.test(path, async (t) => {
      const made = await call(path, { body: { ...body, id: 'one', created_at: '2026-02-01T10:00:00Z' } });
      t.match(made, { status: 200, body: { ...body, id: 'one', created_at: '2026-02-01T10:00:00Z' } });
      const again = await call(path, {
        body: { ...body, id: 'one', [text]: 'Other', created_at: '2026-02-02' },
      });
      t.match(again, {
        status: 200,
        body: { id: 'one', [text]: 'Other', created_at: '2026-02-02T00:00:00Z' },
      });
      const batch = Array.from({ length: 5 }, (_, index) => ({
        ...body,
        created_at: `2026-03-0${index + 1}`,
      }));
      const several = await call(`${path}/batch`, { body: { [field]: batch, client_session_id: 'batch' } });
      t.equal(several.body.length, 5);
      t.same(
        (await call(`${path}/batch`, { body: { [field]: batch, client_session_id: 'batch' } })).body,
        several.body,
      );
      const all = (await call(path)).body;
      t.same(
        all.map(({ id }: { id: string }) => id),
        [...several.body.map(({ id }: { id: string }) => id).reverse(), 'one'],
        'newest first',
      );
      t.same((await call(`${path}?start_date=2026-03-02&end_date=2026-03-03`)).body, all.slice(2, 4));
      const first = await call(`${path}?limit=4`);
      const cursor = first.headers.get('x-next-cursor');
      t.same([...first.body, ...(await call(`${path}?limit=4&cursor=${cursor}`)).body], all);
      t.same((await call(`${path}/one`)).body, again.body);
      t.match(await api.call(`${path}/one`, { credential: ben.token }), { status: 404 });
      t.match(await api.call(`${path}/one`, { credential: ben.token, method: 'DELETE' }), { status: 404 });
      t.same((await api.call(path, { credential: ben.token })).body, []);
      t.same((await call(`${path}/one`, { method: 'DELETE' })).body, { success: true });
      t.match(await call(`${path}/one`), { status: 404 });
      t.match(await call(`${path}/%00`), { status: 404 });
      t.match(
        await call(`${path}/batch`, {
          body: {
            [field]: [
              { ...body, id: 'x' },
              { ...body, id: 'x' },
            ],
          },
        }),
        { status: 422 },
      );
      t.match(await call(`${path}/batch`, { body: { [field]: Array(101).fill(body) } }), { status: 422 });
      for (const id of ['batch', '.', '..'])
        t.match(await call(path, { body: { ...body, id } }), { status: 422 }, `${id}: reserved for paths`);
      for (const id of ['😀'.repeat(100), 'é'.repeat(100), 'a/b?c#d%2f']) {
        t.match(await call(path, { body: { ...body, id } }), { status: 200, body: { id } });
        const own = `${path}/${encodeURIComponent(id)}`;
        t.match(await call(own), { status: 200, body: { id } }, `${id.slice(0, 9)} is read by its path`);
        t.match(await call(own, { method: 'DELETE' }), { status: 200 }, 'deletes the record');
      }
      t.match(await api.call(path, { credential: ann.key }), { status: 401 });
    });
  }

  await t.test('lists posts by kind and screen activity by application', async (t) => {
    await call('/v1/posts', { body: { kind: 'bookmark', text: 'Kept' } });
    t.match((await call('/v1/posts?kind=bookmark')).body, [{ text: 'Kept' }]);
    await call('/v1/screen-activity', { body: { app_name: 'Browser', ocr_text: 'news' } });
    t.match((await call('/v1/screen-activity?app=Browser')).body, [{ ocr_text: 'news', window_title: null }]);
    t.match(await call('/v1/posts?kind=letter'), { status: 422 });
  });

  await t.test('stores one summary for each day', async (t) => {
    const path = '/v1/daily-summaries';
    const write = (date: string, headline: string): Promise<Answer> =>
      call(path, { body: { date, headline, overview: 'What happened.' } });
    await write('2026-03-01', 'First');
    await write('2026-03-02', 'Second');
    t.match(await write('2026-03-01', 'First again'), {
      status: 200,
      body: { id: '2026-03-01', date: '2026-03-01' },
    });
    t.match((await call(path)).body, [{ headline: 'Second' }, { headline: 'First again' }]);
    t.match((await call(`${path}?end_date=2026-03-01`)).body, [{ date: '2026-03-01' }]);
    t.match(await call(`${path}/2026-03-02`), { status: 200, body: { headline: 'Second' } });
    t.match(await write('2026-02-30', 'No such day'), { status: 422 });
  });

  await t.test('limits the records of a user', async (t) => {
    await api.sql`
      insert into posts (uid, id, kind, text, created_at)
      select ${ben.uid}, n::text, 'tweet', 'full', now() from generate_series(1, 20000) n`;
    const answer = await api.call('/v1/posts', {
      credential: ben.token,
      body: { kind: 'tweet', text: 'One more' },
    });
    t.match(answer, { status: 409, body: { detail: 'A user may have at most 20000 posts' } });
    const replaced = await posts.write(api.sql, ben.uid, [{ id: '7', kind: 'tweet', text: 'Replaced' }]);
    t.match(replaced, [{ id: '7', text: 'Replaced' }]);
  });
});

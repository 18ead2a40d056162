import t from 'tap';
import { conversations, fromSegments, said, startApi } from '../support.js';

t.test('lists and single conversations', async (t) => {
  const api = await startApi(t);
  const { key, uid } = await api.person(undefined, 'Ann Example');
  const create = async (text: string, started_at: string, more: object = {}): Promise<string> => {
    const body = {
      transcript_segments: [said(text, 0, 2, more), said('And the weather was fine.', 3, 5)],
      started_at,
    };
    return (await api.call(fromSegments, { credential: key, body })).body.id;
  };
  const list = (query = '') => api.call(`${conversations}${query}`, { credential: key });
  const ids = async (query = ''): Promise<string[]> =>
    (await list(query)).body.map((one: { id: string }) => one.id);

  const health = await create('The doctor gave me a prescription at the hospital.', '2024-01-10T10:00:00Z');
  const music = await create('The concert with the band and the guitar song.', '2024-02-10T10:00:00Z', {
    is_user: true,
  });
  const legal = await create('The lawyer went to court with the lawsuit.', '2024-03-10T10:00:00Z');
  const { folder_id: social } = (await api.call(`${conversations}/${music}`, { credential: key })).body;
  await api.sql`update conversations set starred = true where id = ${music}`;
  const stranger = await api.person();
  await api.call(fromSegments, {
    credential: stranger.key,
    body: { transcript_segments: [said('A secret of someone else.')] },
  });

  t.test("lists the user's own conversations, newest first, and combines filters", async (t) => {
    const cases: [query: string, expected: string[]][] = [
      ['', [legal, music, health]],
      ['?limit=2', [legal, music]],
      ['?limit=2&offset=2', [health]],
      ['?limit=0', [legal]],
      ['?limit=-5', [legal]],
      ['?limit=100000', [legal, music, health]],
      ['?offset=-3', [legal, music, health]],
      ['?offset=99999999999999', []],
      ['?start_date=2024-02-10T10:00:00Z', [legal, music]],
      ['?end_date=2024-02-10T10:00:00Z', [music, health]],
      ['?start_date=2024-01-11&end_date=2024-03-01', [music]],
      ['?categories=legal,%20health,', [legal, health]],
      ['?categories=,', [legal, music, health]],
      ['?categories=legal,nonsense', [legal]],
      ['?categories=nonsense%00', []],
      ['?end_date=2024-02-10', [music, health]],
      ['?start_date=2024-02-10&end_date=2024-02-10', [music]],
      ['?starred=true', [music]],
      ['?starred=no', [legal, health]],
      [`?folder_id=${social}`, [music]],
      ['?folder_id=anything', []],
      ['?folder_id=%00', []],
      ['?starred=true&categories=legal', []],
    ];
    for (const [query, expected] of cases) t.same(await ids(query), expected, query || 'everything');
  });

  t.test('refuses invalid query parameters', async (t) => {
    const cases: [query: string, status: number, detail: unknown][] = [
      ['?limit=many', 422, [{ type: 'int_parsing', loc: ['query', 'limit'] }]],
      ['?starred=maybe', 422, [{ type: 'bool_parsing', loc: ['query', 'starred'] }]],
      ['?folder_id=', 422, [{ type: 'string_too_short', loc: ['query', 'folder_id'] }]],
      ['?start_date=yesterday', 422, [{ type: 'datetime_parsing', loc: ['query', 'start_date'] }]],
      ['?cursor=nonsense', 422, [{ loc: ['query', 'cursor'] }]],
    ];
    for (const [query, status, detail] of cases)
      t.match(await list(query), { status, body: { detail } }, query);
  });

  t.test('returns every field, and the transcript only on request', async (t) => {
    const fields = [
      ...[
        'clock',
        'created_at',
        'discarded',
        'finished_at',
        'folder_id',
        'folder_name',
        'geolocation',
        'id',
        'language',
        'merged_into',
      ],
      ...['source', 'starred', 'started_at', 'status', 'structured', 'transcript_segments'],
    ];
    const [listed] = (await list('?categories=music')).body;
    t.same(Object.keys(listed).sort(), fields);
    t.equal(listed.transcript_segments, null);
    t.match(listed, {
      created_at: '2024-02-10T10:00:00Z',
      finished_at: '2024-02-10T10:00:05Z',
      folder_name: 'Social',
      starred: true,
    });
    t.same(Object.keys(listed.structured).sort(), [
      'action_items',
      'category',
      'emoji',
      'events',
      'overview',
      'title',
    ]);
    const detail = await api.call(`${conversations}/${music}?include_transcript=true`, { credential: key });
    t.same(Object.keys(detail.body).sort(), fields);
    t.match(detail.body.transcript_segments, [
      { text: /concert/, speaker_id: 0, speaker_name: 'Ann Example', start: 0, end: 2, id: /.+/ },
      { text: /weather/, speaker_id: 0, speaker_name: 'Speaker 0', start: 3, end: 5 },
    ]);
    const [withTranscript] = (await list('?categories=music&include_transcript=1')).body;
    t.same(withTranscript, detail.body);
  });

  t.test(
    'returns the transcript of one conversation only on request, for a new key and for a cached key',
    async (t) => {
      const { createApiKey } = await import('../../../src/identity/index.js');
      const made = await createApiKey(api.sql, api.settings, { uid, name: 'new' });
      for (const use of ['first', 'second', 'third']) {
        for (const [query, texts] of [
          ['', null],
          ['?include_transcript=false', null],
          ['?include_transcript=true', [/concert/, /weather/]],
        ] as const) {
          const { status, body } = await api.call(`${conversations}/${music}${query}`, {
            credential: made.key,
          });
          t.equal(status, 200);
          t.equal(body.structured.category, 'music');
          const segments: { text: string }[] | null = body.transcript_segments;
          const shown = `${use} use, "${query}"`;
          if (texts === null) t.equal(segments, null, shown);
          else
            t.match(
              segments?.map(({ text }) => text),
              texts,
              shown,
            );
        }
      }
    },
  );

  t.test('a page with transcripts has at most 25 conversations', async (t) => {
    const other = await api.person();
    for (let index = 0; index < 27; index++) {
      const body = { transcript_segments: [said(`Number ${index} of the boats.`)] };
      await api.call(fromSegments, { credential: other.key, body });
    }
    const count = async (query: string) =>
      (await api.call(conversations + query, { credential: other.key })).body.length;
    t.equal(await count('?limit=100'), 27);
    t.equal(await count(''), 25);
    t.equal(await count('?limit=100&include_transcript=true'), 25);
  });

  t.test('unknown ids and ids of other users are answered 404', async (t) => {
    const { body } = await api.call(conversations, { credential: stranger.key });
    for (const id of [
      body[0].id,
      '00000000-0000-4000-8000-000000000000',
      'nonsense',
      '%00',
      'a'.repeat(90),
    ]) {
      const answer = await api.call(`${conversations}/${id}`, { credential: key });
      t.match(answer, { status: 404, body: { detail: 'Conversation not found' } }, id);
    }
  });

  t.test('omits locked conversations everywhere, and unfinished conversations from lists', async (t) => {
    await api.sql`update conversations set is_locked = true where id = ${legal}`;
    t.same(await ids('?limit=2'), [music, health], 'omitted before paging');
    t.equal((await api.call(`${conversations}/${legal}`, { credential: key })).status, 404);
    await api.sql`update conversations set is_locked = false, status = 'in_progress', structured = null where id = ${legal}`;
    t.same(await ids(), [music, health]);
    const unfinished = await api.call(`${conversations}/${legal}`, { credential: key });
    t.match(unfinished, { status: 200, body: { structured: { title: '', category: 'other', events: [] } } });
  });

  t.test('a key without scopes reads only its own description', async (t) => {
    const { createApiKey } = await import('../../../src/identity/index.js');
    const bare = await createApiKey(api.sql, api.settings, { uid, name: 'bare', scopes: [] });
    t.equal((await api.call(conversations, { credential: bare.key })).status, 403);
    t.match(await api.call('/v1/dev/key', { credential: bare.key }), { status: 200, body: { scopes: [] } });
  });
});

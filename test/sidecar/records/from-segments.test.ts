import t from 'tap';
import { sourceNames } from '../../support/texts/source-names.js';
import { until } from '../../support/until.js';
import { conversations, fromSegments, said, startApi } from '../support.js';

const talk = [said('We discussed the budget of the garden project.')];

t.test('conversations from segments', async (t) => {
  const api = await startApi(t);
  const { key, token, uid } = await api.person();
  const create = (body: unknown) => api.call(fromSegments, { credential: key, body });
  const stored = async (id: string) => {
    const [row] = await api.sql`select * from conversations where id = ${id}`;
    return row!;
  };

  t.test('stores and summarises a conversation before the answer', async (t) => {
    const { status, body, headers } = await create({ transcript_segments: talk });
    t.equal(status, 200);
    const now = Date.now();
    t.match(body, { id: /^[0-9a-f-]{36}$/, status: 'completed', discarded: false });
    t.match(Object.keys(body).sort(), ['discarded', 'id', 'status']);
    t.ok(Number(headers.get('x-ratelimit-remaining')) > 0, 'successful answers also carry the rate limit');
    const row = await stored(body.id);
    t.match(row, { uid, status: 'completed', source: 'phone', language: 'en', generated_by: 'extractive-2' });
    t.match(row.structured, { title: /budget/i, overview: /garden project/, category: /.+/ });
    t.ok(Math.abs(now - row.started_at) < 60_000, `starts now, not at ${row.started_at}`);
  });

  t.test("reads dates in the user's time zone", async (t) => {
    await api.sql`update users set time_zone = 'America/Los_Angeles' where uid = ${uid}`;
    const { body } = await create({
      started_at: '2026-03-04T07:30:00Z',
      transcript_segments: [said('Remind me to call the garden centre tomorrow at 8am.')],
    });
    await api.sql`update users set time_zone = 'UTC' where uid = ${uid}`;
    const { structured } = await stored(body.id);
    // 07:30 UTC on Wednesday is still Tuesday in Los Angeles, so "tomorrow" means Wednesday there.
    t.match(structured.action_items, [{ due_at: '2026-03-04T16:00:00Z' }]);
  });

  t.test('creates tasks, memories and a folder, as for a streamed conversation', async (t) => {
    const ann = await api.person();
    const transcript_segments = [
      said('I called the dentist about the pain, and I am allergic to latex.'),
      said('I need to send the x-rays to the dentist on Friday.', 4, 8),
    ];
    const { body } = await api.call(fromSegments, { credential: ann.key, body: { transcript_segments } });
    const found = async () => ({
      items: (await api.sql`select description from action_items where conversation_id = ${body.id}`).map(
        ({ description }) => description,
      ),
      memories: (await api.sql`select content from memories where conversation_id = ${body.id}`).map(
        ({ content }) => content,
      ),
    });
    await until(async () => {
      const { items, memories } = await found();
      return items.length > 0 && memories.length > 0;
    });
    t.match(await found(), { items: [/x-rays to the dentist/], memories: [/allergic to latex/] });
    t.ok((await stored(body.id)).folder_id, 'the conversation is in a folder');
  });

  t.test('accepts an ID token at the developer route and at the first-party route', async (t) => {
    for (const path of [fromSegments, '/v1/conversations/from-segments']) {
      const { status, body } = await api.call(path, {
        credential: token,
        body: { transcript_segments: talk },
      });
      t.equal(status, 200, path);
      t.equal((await stored(body.id)).uid, uid, path);
    }
  });

  t.test('limits the number of segments', async (t) => {
    const cases = [
      { count: 0, status: 422, type: 'too_short' },
      { count: 1, status: 200 },
      { count: 500, status: 200 },
      { count: 501, status: 422, type: 'too_long' },
    ];
    for (const { count, status, type } of cases) {
      const segments = Array.from({ length: count }, (_, index) =>
        said(`Sentence number ${index} about boats.`, index),
      );
      const answer = await create({ transcript_segments: segments });
      t.equal(answer.status, status, `${count} segments`);
      if (type) t.match(answer.body.detail, [{ type, loc: ['body', 'transcript_segments'] }]);
      if (status === 200) {
        const [row] =
          await api.sql`select count(*)::int as n from segments where conversation_id = ${answer.body.id}`;
        t.equal(row!.n, count, 'all segments are stored');
      }
    }
  });

  t.test('refuses invalid fields, and names each', async (t) => {
    const segment = said('Hello boats and trees');
    const cases: [name: string, body: unknown, loc: (string | number)[], type: string][] = [
      ['no body', '', ['body'], 'missing'],
      ['not JSON', '{"transcript_segments": [', ['body', 0], 'json_invalid'],
      ['a list', [], ['body'], 'model_attributes_type'],
      ['no segments', {}, ['body', 'transcript_segments'], 'missing'],
      ['segments null', { transcript_segments: null }, ['body', 'transcript_segments'], 'list_type'],
      [
        'no text',
        { transcript_segments: [{ start: 0, end: 1 }] },
        ['body', 'transcript_segments', 0, 'text'],
        'missing',
      ],
      [
        'text is a number',
        { transcript_segments: [{ text: 1, start: 0, end: 1 }] },
        ['body', 'transcript_segments', 0, 'text'],
        'string_type',
      ],
      [
        'start is a word',
        { transcript_segments: [{ text: 'a', start: 'x', end: 1 }] },
        ['body', 'transcript_segments', 0, 'start'],
        'float_parsing',
      ],
      [
        'is_user is a word',
        { transcript_segments: [said('a b', 0, 1, { is_user: 'perhaps' })] },
        ['body', 'transcript_segments', 0, 'is_user'],
        'bool_parsing',
      ],
      [
        'speaker_id is a fraction',
        { transcript_segments: [said('a b', 0, 1, { speaker_id: 1.5 })] },
        ['body', 'transcript_segments', 0, 'speaker_id'],
        'int_from_float',
      ],
      ['source a number', { transcript_segments: [segment], source: 5 }, ['body', 'source'], 'string_type'],
      [
        'started_at is not a date',
        { transcript_segments: [segment], started_at: 'soon' },
        ['body', 'started_at'],
        'datetime_parsing',
      ],
      [
        'started_at is a day that does not exist',
        { transcript_segments: [segment], started_at: '2024-02-30T10:00:00Z' },
        ['body', 'started_at'],
        'datetime_parsing',
      ],
      [
        'segment times that give no date, with a given finished_at',
        {
          transcript_segments: [said('We need to call Ann tomorrow', 1e300, 1.1e300)],
          finished_at: '2027-03-01T10:00:00Z',
        },
        ['body', 'transcript_segments'],
        'value_error',
      ],
      [
        'latitude is a word',
        { transcript_segments: [segment], geolocation: { latitude: 'north', longitude: 1 } },
        ['body', 'geolocation', 'latitude'],
        'float_parsing',
      ],
      [
        'longitude is missing',
        { transcript_segments: [segment], geolocation: { latitude: 1 } },
        ['body', 'geolocation', 'longitude'],
        'missing',
      ],
      [
        'session is empty',
        { transcript_segments: [segment], client_session_id: '' },
        ['body', 'client_session_id'],
        'string_too_short',
      ],
      [
        'session is blank',
        { transcript_segments: [segment], client_session_id: ' \t' },
        ['body', 'client_session_id'],
        'string_too_short',
      ],
      [
        'session is too long',
        { transcript_segments: [segment], client_session_id: 'x'.repeat(201) },
        ['body', 'client_session_id'],
        'string_too_long',
      ],
      [
        'an invalid language code',
        { transcript_segments: [segment], language: 'English' },
        ['body', 'language'],
        'value_error',
      ],
    ];
    for (const [name, body, loc, type] of cases) {
      const answer = await create(body);
      t.equal(answer.status, 422, name);
      t.match(answer.body.detail, [{ type, loc, msg: /.+/ }], name);
      for (const finding of answer.body.detail) {
        t.same(
          Object.keys(finding).sort(),
          ['loc', 'msg', 'type'],
          `${name}: the error repeats nothing of the input`,
        );
      }
    }
  });

  t.test('errors of rules outside the schema name their field', async (t) => {
    const cases: [body: object, msg: string, ...loc: (string | number)[]][] = [
      [
        { transcript_segments: [said('a b', 2, 2)] },
        'Segment 0: end time must be after start time',
        'transcript_segments',
        0,
        'end',
      ],
      [
        { transcript_segments: [said('a b', 2, 1)] },
        'Segment 0: end time must be after start time',
        'transcript_segments',
        0,
        'end',
      ],
      [
        { transcript_segments: [said('a b', -1, 1)] },
        'Segment 0: start time cannot be negative',
        'transcript_segments',
        0,
        'start',
      ],
      [
        { transcript_segments: [said('a b'), said(' \n ')] },
        'Segment 1: text cannot be empty',
        'transcript_segments',
        1,
        'text',
      ],
      [
        {
          transcript_segments: talk,
          started_at: '2024-01-01T10:00:00Z',
          finished_at: '2024-01-01T10:00:00Z',
        },
        'finished_at must be after started_at',
        'finished_at',
      ],
      [
        {
          transcript_segments: talk,
          started_at: '2024-01-01T10:00:00+02:00',
          finished_at: '2024-01-01T07:59:00Z',
        },
        'finished_at must be after started_at',
        'finished_at',
      ],
      [
        { transcript_segments: [said('a b', 0, 1e300)] },
        'finished_at must be before the year 10000',
        'finished_at',
      ],
    ];
    for (const [body, msg, ...loc] of cases) {
      const detail = [{ type: 'value_error', loc: ['body', ...loc], msg }];
      t.same(await create(body).then((answer) => [answer.status, answer.body]), [422, { detail }], msg);
    }
  });

  t.test('refuses times that are not seconds from the start, and stores nothing', async (t) => {
    const words = 'We discussed the budget of the garden project.';
    const epoch = Date.UTC(2026, 2, 4);
    const milliseconds = 'Segment times are in milliseconds; start and end must be in seconds';
    const otherZero = 'Segment times must count from the start of the conversation';
    const range = { started_at: '2026-03-04T10:00:00Z', finished_at: '2026-03-04T10:00:09Z' };
    const long = { started_at: '2026-03-04T10:00:00Z', finished_at: '2026-03-04T13:00:00Z' };
    const turns = [said(words, 300, 3200), said('Yes.', 3900, 4300)];
    const cases: [name: string, body: object, msg: string | null][] = [
      ['milliseconds', { transcript_segments: turns }, milliseconds],
      ['with a start', { transcript_segments: turns, started_at: range.started_at }, milliseconds],
      ['with an end', { transcript_segments: turns, ...range }, milliseconds],
      ['since the epoch', { transcript_segments: [said(words, epoch, epoch + 3000)] }, milliseconds],
      [
        'seconds since the epoch',
        { transcript_segments: [said(words, epoch / 1000, epoch / 1000 + 3)] },
        otherZero,
      ],
      ['slow words within the named time', { transcript_segments: [said('Amen.', 0, 9000)], ...long }, null],
      ['a short remark hours later', { transcript_segments: [...talk, said('Yes.', 30_000, 30_001)] }, null],
      ['a minute for a sentence', { transcript_segments: [said(words, 0, 60)] }, null],
    ];
    const ben = await api.person();
    for (const [name, body, msg] of cases) {
      const answer = await api.call(fromSegments, { credential: ben.token, body });
      if (msg === null) t.equal(answer.status, 200, name);
      else {
        const detail = [{ type: 'value_error', loc: ['body', 'transcript_segments'], msg }];
        t.same([answer.status, answer.body], [422, { detail }], name);
      }
    }
    const [row] = await api.sql`select count(*)::integer as made from conversations where uid = ${ben.uid}`;
    t.equal(row!.made, 3);
  });

  t.test('lengths count code points', async (t) => {
    const session = (length: number) =>
      create({ transcript_segments: talk, client_session_id: '🌱'.repeat(length) });
    t.equal((await session(200)).status, 200);
    t.match(await session(201), {
      status: 422,
      body: { detail: [{ loc: ['body', 'client_session_id'], type: 'string_too_long' }] },
    });
  });

  t.test('fills defaults and derived fields', async (t) => {
    const { body } = await create({
      transcript_segments: [
        said('  Later words come first here.  ', 10, 30, { speaker: 'SPEAKER_07', is_user: 'yes' }),
        said('Then earlier words.', 1, 4, { speaker: 'SPEAKER_02', speaker_id: 9, person_id: 'p1' }),
        { text: 'And no speaker at all.', start: '5', end: '6.5', speaker: null },
        said('A speaker without number.', 7, 8, { speaker: 'Anna' }),
        said('A number without a label.', 7.5, 8, { speaker: null, speaker_id: 4 }),
        said('Half a pair \ud83d here.', 8, 9, { speaker: 'Guest\0 3' }),
      ],
      started_at: '2024-03-01T10:00:00',
      source: 'toaster',
      language: null,
      client_device_id: 'ios_0123abcd',
      client_platform: 'ios',
      something_else: { entirely: true },
    });
    const row = await stored(body.id);
    t.same(row.started_at, new Date('2024-03-01T10:00:00Z'), 'a date-time without time zone is UTC');
    t.same(row.created_at, row.started_at);
    t.same(
      row.finished_at,
      new Date('2024-03-01T10:00:30Z'),
      'the latest end, not the end of the last segment',
    );
    t.match(row, {
      source: 'unknown',
      language: 'en',
      client_device_id: 'ios_0123abcd',
      client_platform: 'ios',
    });
    const segments =
      await api.sql`select * from segments where conversation_id = ${body.id} order by position`;
    t.match(segments, [
      { text: 'Then earlier words.', speaker: 'SPEAKER_02', speaker_id: 9, is_user: false, person_id: 'p1' },
      { speaker: 'SPEAKER_00', speaker_id: 0, start_seconds: 5, end_seconds: 6.5 },
      { speaker: 'Anna', speaker_id: 1 },
      { speaker: 'SPEAKER_04', speaker_id: 4 },
      { text: 'Half a pair \ufffd here.', speaker: 'Guest\ufffd 3', speaker_id: 3, translations: [] },
      { text: 'Later words come first here.', speaker: 'SPEAKER_07', speaker_id: 7, is_user: true },
    ]);
    t.equal(
      (await stored((await create({ transcript_segments: talk, source: null })).body.id)).source,
      'phone',
    );
  });

  t.test('keeps every source of the enumeration', async (t) => {
    for (const source of sourceNames) {
      const { body } = await create({ transcript_segments: talk, source });
      t.equal((await stored(body.id)).source, source);
    }
  });

  t.test('keeps named speakers apart, with their names, and sorts segments by time', async (t) => {
    const { body } = await create({
      transcript_segments: [
        said('First we came.', 50, 52, { speaker: 'Ann' }),
        said('No, it leaves at ten on Saturday.', 2, 4, { speaker: 'Bob' }),
        said('And this is a numbered voice.', 60, 62, { speaker: 'SPEAKER_00' }),
        said('So is this one.', 70, 72, { speaker: 'speaker 8' }),
      ],
    });
    const shown = await api.call(`/v1/dev/user/conversations/${body.id}?include_transcript=true`, {
      credential: key,
    });
    t.match(shown.body.transcript_segments, [
      { speaker_id: 2, speaker_name: 'Bob', start: 2 },
      { speaker_id: 1, speaker_name: 'Ann', start: 50 },
      { speaker_id: 0, speaker_name: 'Speaker 0', start: 60 },
      { speaker_id: 8, speaker_name: 'Speaker 8', start: 70 },
    ]);
  });

  t.test('accepts the same languages as a stream', async (t) => {
    for (const [language, expected] of [
      ['', 'en'],
      ['  ', 'en'],
      ['auto', 'multi'],
      ['AUTO', 'multi'],
      ['multi', 'multi'],
      ['en_US', 'en-US'],
      ['zh_Hans', 'zh-Hans'],
      ['zh_Hans_CN', 'zh-Hans-CN'],
      [' de ', 'de'],
    ]) {
      const { status, body } = await create({ transcript_segments: talk, language });
      t.equal(status, 200, `language "${language}"`);
      t.equal((await stored(body.id)).language, expected, `language "${language}"`);
    }
    const refused = await create({ transcript_segments: talk, language: 'English' });
    t.equal(refused.status, 422);
  });

  t.test('accepts dates in every format that clients send', async (t) => {
    const cases: [given: string | number, moment: string][] = [
      ['2024-03-01T10:00:00Z', '2024-03-01T10:00:00Z'],
      ['2024-03-01T10:00:00.123456+02:00', '2024-03-01T08:00:00.123Z'],
      ['2024-03-01T10:00:00+0200', '2024-03-01T08:00:00Z'],
      ['2024-03-01 10:00', '2024-03-01T10:00:00Z'],
      ['2024-03-01', '2024-03-01T00:00:00Z'],
      [1709287200, '2024-03-01T10:00:00Z'],
      [1709287200123, '2024-03-01T10:00:00.123Z'],
      ['1709287200', '2024-03-01T10:00:00Z'],
    ];
    for (const [given, moment] of cases) {
      const { body } = await create({ transcript_segments: talk, started_at: given });
      t.same((await stored(body.id)).started_at, new Date(moment), String(given));
    }
  });

  t.test('stores valid geolocations and ignores invalid ones', async (t) => {
    const cases: [geolocation: object | null, kept: object | null][] = [
      [null, null],
      [
        { latitude: 52.5, longitude: 13.4, address: 'Berlin' },
        { latitude: 52.5, longitude: 13.4, address: 'Berlin' },
      ],
      [
        { latitude: -90, longitude: 180 },
        { latitude: -90, longitude: 180 },
      ],
      [{ latitude: 90.0001, longitude: 0 }, null],
      [{ latitude: 0, longitude: -180.5 }, null],
      [{ latitude: 1e308, longitude: 1e308 }, null],
    ];
    for (const [geolocation, kept] of cases) {
      const { status, body } = await create({ transcript_segments: talk, geolocation });
      t.equal(status, 200);
      const row = await stored(body.id);
      if (kept) t.match(row.geolocation, kept);
      else t.equal(row.geolocation, null, JSON.stringify(geolocation));
    }
  });

  t.test('discards a conversation without content, and omits it from the list', async (t) => {
    const { status, body } = await create({
      transcript_segments: [said('Uh, um, okay.'), said('Mhm, right.')],
    });
    t.equal(status, 200);
    t.match(body, { status: 'completed', discarded: true });
    t.match((await stored(body.id)).structured, { title: '', overview: '' });
    const list = await api.call(`${conversations}?limit=100`, { credential: key });
    t.notOk(list.body.some((listed: { id: string }) => listed.id === body.id));
    t.equal(
      (await api.call(`${conversations}/${body.id}`, { credential: key })).status,
      200,
      'it can be read by id',
    );
  });

  t.test('a client session makes one conversation', async (t) => {
    const body = { transcript_segments: talk, client_session_id: 'walk-1' };
    const first = await create(body);
    const second = await create({ ...body, transcript_segments: [said('Something else entirely.')] });
    t.equal(first.body.id, second.body.id);
    t.equal(second.body.status, 'completed');
    for (const alias of ['client_conversation_id', 'session_id', 'client_id']) {
      const answer = await create({ transcript_segments: talk, [alias]: '  walk-1 ' });
      t.equal(answer.body.id, first.body.id, alias);
    }
    const [count] =
      await api.sql`select count(*)::int as n from segments where conversation_id = ${first.body.id}`;
    t.equal(count!.n, 1, 'keeps the segments of the first request');
    const other = await api.person();
    const foreign = await api.call(fromSegments, { credential: other.key, body });
    t.not(foreign.body.id, first.body.id, "another user's session makes another conversation");
  });

  t.test('simultaneous requests of a client session make one conversation', async (t) => {
    const body = { transcript_segments: talk, client_session_id: 'walk-2' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(body)));
    t.same([...new Set(answers.map((answer) => answer.status))], [200]);
    t.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
    const [row] = await api.sql`
      select count(*)::int as n from segments where conversation_id = ${answers[0]!.body.id}`;
    t.equal(row!.n, 1);
  });

  t.test('a retry succeeds after a database connection breaks during a request', async (t) => {
    const body = { transcript_segments: talk, client_session_id: 'walk-5' };
    const cut = async (): Promise<number> => {
      const cutOff = await api.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'cochlea sidecar' and datname = current_database() and wait_event_type = 'Lock'`;
      return cutOff.length;
    };
    const broken = await api.sql.begin(async (transaction) => {
      await transaction`lock table segments in access exclusive mode`;
      const pending = create(body);
      await until(
        async () => (await cut()) > 0,
        'the request waits for the table, and its connection is terminated',
      );
      return { pending };
    });
    t.match(await broken.pending, { status: 503, body: { detail: 'The database is unavailable' } });
    t.match(await create(body), { status: 200, body: { status: 'completed' } });
    const rows = await api.sql`select id from conversations where client_session_id = 'walk-5'`;
    t.equal(rows.length, 1);
  });

  t.test('a repeated client session does not restore a deleted conversation', async (t) => {
    const body = { transcript_segments: talk, client_session_id: 'walk-4' };
    const { body: first } = await create(body);
    await api.sql`update conversations set deleted_at = now() where id = ${first.id}`;
    t.same((await create(body)).body, { id: first.id, status: 'deleted', discarded: true });
    t.equal((await api.call(`${conversations}/${first.id}`, { credential: key })).status, 404);
  });
});

/** Days follow the user's time zone, also when clocks change. Tests REST filters, tools, summaries, usage and goals. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { until } from '../../support/until.js';
import { assistant } from '../mcp/tool-support.js';
import { conversations, startApi } from '../support.js';

/**
 * Times with their day in Berlin. There, 29 March 2026 has 23 hours and 25 October has 25. Each time is at the start
 * or end of a day.
 */
const moments = [
  ['2026-03-28T22:59:59.999Z', '2026-03-28'],
  ['2026-03-28T23:00:00Z', '2026-03-29'],
  ['2026-03-29T21:59:59.999Z', '2026-03-29'],
  ['2026-03-29T22:00:00Z', '2026-03-30'],
  ['2026-10-24T21:59:59.999Z', '2026-10-24'],
  ['2026-10-24T22:00:00Z', '2026-10-25'],
  ['2026-10-25T22:59:59.999Z', '2026-10-25'],
  ['2026-10-25T23:00:00Z', '2026-10-26'],
] as const;
const days = [...new Set(moments.map(([, day]) => day))];
const onDay = (day: string): string[] =>
  moments.filter(([, of]) => of === day).map(([moment]) => new Date(moment).toISOString());

t.test("days in the user's time zone", async (t) => {
  const api = await startApi(t, { RATE_LIMIT_SHADOW: 'true', SWEEP_INTERVAL: '200' });
  const { sql } = api;
  const ann = await api.person([
    'conversations:read',
    'action_items:read',
    'action_items:write',
    'goals:read',
    'goals:write',
  ]);
  const one = await assistant(api, { uid: ann.uid });
  const own = (path: string, more: object = {}) => api.call(path, { credential: ann.token, ...more });
  const dev = (path: string, more: object = {}) => api.call(path, { credential: ann.key, ...more });
  const twin = (path: string) => api.call(`/v1/mcp/${path}`, { credential: one.key });
  const zone = async (name: string): Promise<void> => {
    const changed = await own('/v1/users/settings', { method: 'PATCH', body: { time_zone: name } });
    t.equal(changed.status, 200, name);
  };
  await zone('Europe/Berlin');
  for (const [moment] of moments) {
    await sql`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, structured)
      values (${randomUUID()}, ${ann.uid}, 'completed', 'svc', ${moment}, ${moment}, ${moment}, '{"title": "Garden"}')`;
    await sql`
      insert into action_items (id, uid, description, completed, created_at, updated_at, due_at)
      values (${randomUUID()}, ${ann.uid}, ${`Plant ${moment}`}, false, ${moment}, ${moment}, ${moment})`;
    await sql`
      insert into memories (id, uid, content, category, visibility, manually_added, reviewed, scoring, created_at, updated_at)
      values (${randomUUID()}, ${ann.uid}, ${`Planted ${moment}`}, 'other', 'private', true, true, '00', ${moment}, ${moment})`;
    await sql`
      insert into screen_activity (id, uid, app_name, created_at) values (${moment}, ${ann.uid}, 'Editor', ${moment})`;
    await sql`
      insert into posts (id, uid, kind, text, created_at) values (${moment}, ${ann.uid}, 'tweet', 'Garden', ${moment})`;
    await sql`
      insert into chat_messages (id, uid, sender, type, text, created_at)
      values (${moment}, ${ann.uid}, 'human', 'text', 'Garden', ${moment})`;
  }
  for (const day of days) {
    await own('/v1/daily-summaries', { body: { date: day, headline: 'A', overview: 'B' } });
  }
  const iso = (times: readonly string[]): string[] =>
    times.map((time) => new Date(time).toISOString()).sort();

  await t.test('dates in filters of REST routes are days of the zone of the user', async (t) => {
    for (const [path, call] of [
      [conversations, dev],
      ['/v1/dev/user/action-items', dev],
      ['/v1/posts', own],
      ['/v1/chat/messages', own],
      ['/v1/screen-activity', own],
    ] as const) {
      for (const day of days) {
        const { body } = await call(`${path}?start_date=${day}&end_date=${day}`);
        const found = body.map((row: { created_at: string }) => row.created_at);
        t.same(iso(found), onDay(day), `${path} ${day}`);
      }
      // A value with a time selects an exact moment. Without an offset it means UTC.
      const { body } = await call(`${path}?start_date=2026-03-28T23:00&end_date=2026-03-29T01:00:00%2B02:00`);
      t.equal(body.length, 1, `${path} between two times`);
    }
    for (const kind of ['conversations', 'action-items']) {
      const { body } = await dev(
        `/v1/dev/user/${kind}/vector/search?query=Garden Plant&limit=50&start_date=2026-10-25&end_date=2026-10-25`,
      );
      t.same(iso(body.items.map((row: { created_at: string }) => row.created_at)), onDay('2026-10-25'), kind);
    }
    const summaries = await own('/v1/daily-summaries?start_date=2026-03-29&end_date=2026-10-24');
    t.same(
      summaries.body.map(({ date }: { date: string }) => date),
      ['2026-10-24', '2026-03-30', '2026-03-29'],
    );
  });

  await t.test('dates in tools are days of the zone of the user', async (t) => {
    for (const day of days) {
      const period = { start_date: day, end_date: day };
      const { conversations: found } = await one.call('get_conversations', period);
      t.same(
        iso(found.map((row: { started_at: string }) => row.started_at)),
        onDay(day),
        `conversations ${day}`,
      );
      const due = { due_start_date: day, due_end_date: day };
      const { action_items: tasks } = await one.call('get_action_items', due);
      t.same(iso(tasks.map((row: { due_at: string }) => row.due_at)), onDay(day), `tasks ${day}`);
      const { screen_activity: seen } = await one.call('get_screen_activity', period);
      t.same(iso(seen.map((row: { timestamp: string }) => row.timestamp)), onDay(day), `screen ${day}`);
      const sums = await one.call('get_screen_activity', { ...period, summary: true });
      t.equal(sums.total_screenshots, onDay(day).length);
      const { daily_summaries: summaries } = await one.call('get_daily_summaries', period);
      t.same(
        summaries.map(({ date }: { date: string }) => date),
        [day],
      );
    }
    const between = { due_start_date: '2026-03-28T23:00:00Z', due_end_date: '2026-03-30T00:00:00+02:00' };
    const { action_items: dueBetween } = await one.call('get_action_items', between);
    t.same(
      iso(dueBetween.map((row: { due_at: string }) => row.due_at)),
      [...onDay('2026-03-29'), new Date('2026-03-29T22:00:00Z').toISOString()],
      'tasks that are due between two times',
    );
    const searched = await one.call('search_conversations', { query: 'Garden', start_date: '2026-10-26' });
    t.equal(searched.conversations.length, 1);
    await sql`update memories set updated_at = '2026-10-24T22:30:00Z' where updated_at = '2026-10-24T22:00:00Z'`;
    const { memories } = await one.call('get_memories', { updated_after: '2026-10-25' });
    t.equal(memories.length, 3);
    const made = await one.call('create_action_item', { description: 'Water', due_at: '2026-10-26' });
    t.equal(made.action_item.due_at, '2026-10-25T23:00:00Z', "a due date is a day of the user's zone");
    const body = { description: 'Mow', due_at: '2026-03-29' };
    const mow = await dev('/v1/dev/user/action-items', { body });
    t.equal(mow.body.due_at, '2026-03-28T23:00:00Z');
    const several = [
      { description: 'Sow', due_at: '2026-03-29T10:00:00Z' },
      { description: 'Weed', due_at: '2026-03-29' },
      { description: 'Rest' },
    ];
    const batch = await dev('/v1/dev/user/action-items/batch', { body: { action_items: several } });
    t.strictSame(
      batch.body.action_items.map((item: { due_at: string | null }) => item.due_at),
      ['2026-03-29T10:00:00Z', '2026-03-28T23:00:00Z', null],
      'only days are converted',
    );
    const patch = { method: 'PATCH', body: { due_at: '2026-03-30' } };
    const moved = await dev(`/v1/dev/user/action-items/${mow.body.id}`, patch);
    t.equal(moved.body.due_at, '2026-03-29T22:00:00Z');
  });

  await t.test('the first and last days of the calendar are valid in every zone', async (t) => {
    for (const name of ['Pacific/Kiritimati', 'America/New_York', 'Europe/Berlin']) {
      await zone(name);
      for (const time of ['0001-01-01', '9999-12-31', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
        const period = `start_date=${time}&end_date=${time}`;
        for (const path of ['/v1/daily-summaries', '/v1/posts'])
          t.match(await own(`${path}?${period}`), { status: 200, body: [] }, `${name} ${path} ${time}`);
        t.match(await dev(`${conversations}?${period}`), { status: 200, body: [] }, `${name} ${time}`);
      }
    }
    await zone('Europe/Berlin');
  });

  await t.test('the REST routes of tools accept dates and date-times', async (t) => {
    const count = async (path: string): Promise<number> => (await twin(path)).body.length;
    const day = 'start_date=2026-10-25&end_date=2026-10-25';
    const period = 'start_date=2026-10-24T22:00:00Z&end_date=2026-10-25T23:00:00%2B00:00';
    for (const path of ['conversations', 'conversations/search', 'screen-activity']) {
      const search = path.endsWith('search') ? '&query=Garden' : '';
      t.equal(await count(`${path}?${day}${search}`), 2, path);
      t.equal(await count(`${path}?${period}${search}`), 3, `${path} with date-times`);
      t.equal((await twin(`${path}?start_date=soon${search}`)).status, 422, path);
    }
    t.equal(
      await count(
        'action-items?due_start_date=2026-10-25T22:59:59.999Z&due_end_date=2026-10-25T22:59:59.999Z',
      ),
      1,
    );
    t.equal(await count('daily-summaries?start_date=2026-10-24T23:30:00Z&end_date=2026-10-25T20:00:00Z'), 1);
  });

  await t.test('usage is counted by days of the zone of the user', async (t) => {
    const usage = async (query: string) => (await own(`/v1/users/usage?${query}`)).body;
    for (const [query, wanted] of [
      ['start_date=2026-03-28&end_date=2026-03-30', ['2026-03-30', '2026-03-29', '2026-03-28']],
      ['start_date=2026-10-24&end_date=2026-10-26', ['2026-10-26', '2026-10-25', '2026-10-24']],
      ['start_date=2026-10-25&end_date=2026-10-25', ['2026-10-25']],
    ] as const) {
      const counts = wanted.map((date) => {
        const { length } = onDay(date);
        return { date, speech: [], conversations: length, memories: length, action_items: length };
      });
      // The tests above created records today, which is outside these periods.
      t.same(await usage(query), counts, query);
    }
    const id = randomUUID();
    const began = '2026-10-25T22:59:00Z';
    await sql`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at)
      values (${id}, ${ann.uid}, 'in_progress', 'svc', ${began}, ${began}, ${began})`;
    for (const start of [0, 90]) {
      await sql`
        insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds,
          end_seconds, stt_provider)
        values (${randomUUID()}, ${id}, ${start}, 1, 'We talked about the garden.', 'SPEAKER_00', 0, false, ${start}, ${start + 4}, 'local')`;
    }
    await sql`update conversations set status = 'processing', revision = revision + 1, claimed_at = null where id = ${id}`;
    await sql`select pg_notify('conversation_finished', ${id})`;
    await until(
      async () =>
        (await sql`select 1 from conversations where id = ${id} and status = 'completed'`).length > 0,
      'the conversation is completed',
    );
    t.match(await usage('start_date=2026-10-25&end_date=2026-10-26'), [
      { date: '2026-10-26', speech: [{ provider: 'local', seconds: 4 }] },
      { date: '2026-10-25', speech: [{ provider: 'local', seconds: 4 }] },
    ]);
  });

  await t.test('progress of a goal is dated in the zone of the user', async (t) => {
    // At any time, the date in at least one of these zones differs from the date in UTC.
    for (const name of ['Pacific/Kiritimati', 'Etc/GMT+12']) {
      await zone(name);
      const goal = await dev('/v1/dev/user/goals', { body: { title: 'Run', target_value: 9 } });
      const path = `/v1/dev/user/goals/${goal.body.id}`;
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: name }).format();
      await dev(`${path}/progress`, { method: 'PATCH', body: { current_value: 3 } });
      const { body } = await dev(`${path}/history?days=1`);
      t.equal(body[0].date, today, name);
    }
  });

  await t.test('days are UTC for the zone UTC', async (t) => {
    await zone('UTC');
    const { body } = await dev(`${conversations}?start_date=2026-03-28&end_date=2026-03-28`);
    t.equal(body.length, 2);
  });
});

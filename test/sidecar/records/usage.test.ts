/**
 * A user's usage is recorded when a conversation ends. Deleting the conversation keeps its seconds and words of
 * speech.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { until } from '../../support/until.js';
import { conversations, fromSegments, said, startApi } from '../support.js';

interface Words {
  readonly text: string;
  /** Start of the segment in seconds from the start of the conversation. */
  readonly start: number;
  readonly end: number;
  readonly provider: string | null;
}

t.test('usage of a user', async (t) => {
  const api = await startApi(t, { SWEEP_INTERVAL: '200' });
  const { sql } = api;
  const ann = await api.person(['conversations:write', 'memories:write', 'action_items:write']);
  const ben = await api.person();
  const path = '/v1/users/usage';
  const usage = async (query = '?start_date=2026-03-01&end_date=2026-03-31', credential = ann.token) =>
    (await api.call(`${path}${query}`, { credential })).body;

  const say = async (id: string, words: readonly Words[]): Promise<void> => {
    for (const { text, start, end, provider } of words) {
      await sql`
        insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds,
          end_seconds, stt_provider)
        values (${randomUUID()}, ${id}, ${start}, 1, ${text}, 'SPEAKER_00', 0, false, ${start}, ${end}, ${provider})`;
    }
  };
  /** Marks a conversation as ended, as an engine does, and waits until the jobs have summarised it. */
  const finish = async (id: string): Promise<void> => {
    await sql`update conversations set status = 'processing', revision = revision + 1, claimed_at = null where id = ${id}`;
    await sql`select pg_notify('conversation_finished', ${id})`;
    await until(async () => {
      const [row] = await sql`select status from conversations where id = ${id}`;
      return row!.status === 'completed';
    }, 'the conversation is completed');
  };
  const stream = async (startedAt: string, words: readonly Words[], custom = false): Promise<string> => {
    const id = randomUUID();
    await sql`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, uses_custom_stt)
      values (${id}, ${ann.uid}, 'in_progress', 'svc', ${startedAt}, ${startedAt}, ${startedAt}, ${custom})`;
    await say(id, words);
    await finish(id);
    return id;
  };

  const local = 'local';
  const plan = 'We talked about the plan of the garden.';

  await t.test('counts speech by day and provider', async (t) => {
    const first = await stream('2026-03-01T23:59:50Z', [
      { text: plan, start: 0, end: 4, provider: local },
      { text: "It's due on Friday, 3 March.", start: 20, end: 22.5, provider: local },
      { text: '東京 is far', start: 30, end: 31, provider: 'provider_a' },
      { text: 'Typed, and not spoken.', start: 40, end: 50, provider: null },
    ]);
    const day = { speech: [], conversations: 0, memories: 0, action_items: 0 };
    const expected = [
      {
        ...day,
        date: '2026-03-02',
        speech: [
          { provider: local, seconds: 2.5, words: 6 },
          { provider: 'provider_a', seconds: 1, words: 4 },
        ],
      },
      { ...day, date: '2026-03-01', speech: [{ provider: local, seconds: 4, words: 8 }], conversations: 1 },
    ];
    t.same(await usage(), expected);
    t.same(await usage('?start_date=2026-03-02&end_date=2026-03-02'), expected.slice(0, 1));
    t.same(await usage(undefined, ben.token), [], "another user's usage is separate");

    await t.test('counts speech once, and adds speech after the end', async (t) => {
      await finish(first);
      t.same(await usage(), expected);
      await say(first, [{ text: 'One more word.', start: 60, end: 61, provider: local }]);
      await finish(first);
      t.match((await usage())[0].speech[0], { provider: local, seconds: 3.5, words: 9 });
    });

    await t.test('keeps the speech of a deleted conversation', async (t) => {
      const before = await usage();
      const deleted = await api.call(`${conversations}/${first}`, { method: 'DELETE', credential: ann.key });
      t.equal(deleted.status, 200);
      t.same(await usage(), [before[0], { ...before[1], conversations: 0 }]);
    });
  });

  await t.test('does not count conversations that were supplied as text', async (t) => {
    await stream('2026-04-01T10:00:00Z', [{ text: plan, start: 0, end: 4, provider: 'own' }], true);
    const body = { transcript_segments: [said(plan)], started_at: '2026-04-01T11:00:00Z' };
    t.equal((await api.call(fromSegments, { credential: ann.key, body })).status, 200);
    t.same(await usage('?end_date=2026-04-30'), [
      { date: '2026-04-01', speech: [], conversations: 2, memories: 0, action_items: 0 },
    ]);
  });

  await t.test('counts memories and action items by the day of their creation', async (t) => {
    const make = (resource: string, body: object) =>
      api.call(`/v1/dev/user/${resource}`, { credential: ann.key, body });
    const made = await make('memories', { content: 'Grows tomatoes.' });
    await make('action-items', { description: 'Send the plan' });
    await make('action-items', { description: 'Call Ben' });
    const today = made.body.created_at.slice(0, 10);
    t.match(
      await usage('', ann.token),
      [{ date: today, memories: 1, action_items: 2 }],
      'the last month by default',
    );
  });

  await t.test('limits the period', async (t) => {
    const status = async (query: string) =>
      (await api.call(`${path}${query}`, { credential: ann.token })).status;
    t.equal(await status('?start_date=2025-01-01&end_date=2026-01-01'), 200, '366 days');
    for (const query of [
      '?start_date=2025-01-01&end_date=2026-01-02',
      '?start_date=2026-01-02&end_date=2026-01-01',
      '?start_date=2026-02-30',
      '?end_date=yesterday',
    ])
      t.equal(await status(query), 422, query);
    t.equal(await status('?end_date=0001-01-02'), 200, 'the first supported days');
    t.equal(await status('?end_date=9999-12-31'), 200, 'the last supported day');
    t.equal((await api.call(path, { credential: ann.key })).status, 401, 'a developer key is refused');
  });
});

/**
 * Two nearby devices record one conversation each. If the user's settings permit it, both conversations are merged, in
 * whatever order they end.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { startPipeline } from '../../src/pipeline/pipeline.js';
import { lockConversation, removeConversation } from '../../src/store/conversations/conversations.js';
import { findLateTarget } from '../../src/store/conversations/late-words.js';
import { testDatabase } from '../support/database/database.js';
import { readStored } from '../support/database/read-stored.js';
import { until } from '../support/until.js';

const log = createLogger('test', 'silent');
const begun = Date.parse('2026-03-02T10:00:00Z');
const plan = 'We should paint the kitchen before the guests arrive on Sunday afternoon.';
const paint = 'I can get the paint from the shop in the village.';

interface Given {
  readonly source: string;
  readonly probability?: number | null;
  /** Seconds by which this conversation begins later than the usual start. */
  readonly at?: number;
  /** Texts by second of the conversation. */
  readonly said: Readonly<Record<number, string>>;
  readonly status?: string;
}

t.test('conversations of two devices', async (t) => {
  const { url, sql } = await testDatabase(t);
  const announced: string[] = [];
  await sql.listen('conversation_completed', (id) => announced.push(id));
  const settings = loadSettings({ LEASE_DURATION: '1000', SWEEP_INTERVAL: '100' }).values;
  const pipeline = startPipeline({ settings, databaseUrl: url, log });
  t.teardown(() => pipeline.close(5000));

  const insert = async (uid: string, given: Given): Promise<string> => {
    const { source, probability = 0.9, at = 0, said, status = 'processing' } = given;
    const id = randomUUID();
    const moment = (seconds: number): Date => new Date(begun + (at + seconds) * 1000);
    const seconds = Object.keys(said).map(Number);
    const end = moment(Math.max(...seconds) + 5);
    await sql.begin(async (transaction) => {
      await transaction`
        insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, finished_at, speech_probability)
        values (${id}, ${uid}, ${status}, ${source}, ${moment(0)}, ${moment(0)}, ${end}, ${end}, ${probability})`;
      for (const [position, second] of seconds.entries()) {
        const text = said[second]!;
        await transaction`
          insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
          values (${randomUUID()}, ${id}, ${position}, 1, ${text}, 'SPEAKER_00', 0, false, ${second},
            ${second + 0.35 * text.split(' ').length})`;
      }
    });
    await sql.notify('conversation_finished', id);
    return id;
  };
  const user = async (merges: boolean): Promise<string> => {
    const { uid } = await createUser(sql, { email: `${randomUUID()}@example.org` });
    await sql`update users set merge_devices = ${merges} where uid = ${uid}`;
    return uid;
  };
  const ended = (...ids: readonly string[]): Promise<unknown> =>
    until(async () => {
      const [row] =
        await sql`select count(*)::integer as open from conversations where id = any(${ids as string[]}) and status <> 'completed'`;
      return row!.open === 0;
    }, 'they are completed');
  const textsOf = async (id: string): Promise<string[]> =>
    (await readStored(sql, id))!.transcript_segments.map(({ text }) => text);
  const rowOf = async (id: string) => {
    const [row] = await sql<{ merged_into: string | null; discarded: boolean; structured: unknown }[]>`
      select merged_into, discarded, structured from conversations where id = ${id}`;
    return row!;
  };

  const clean: Given = {
    source: 'omi',
    probability: 0.93,
    said: { 0: plan, 20: paint, 60: 'Who is at the door?' },
  };
  const far: Given = {
    source: 'phone',
    probability: 0.71,
    at: 0.4,
    said: { 0: plan.replace('guests', 'guess'), 20: paint, 90: 'Did you hear that noise upstairs?' },
  };
  const room = [plan, paint, 'Who is at the door?', 'Did you hear that noise upstairs?'];

  await t.test('stay unchanged if merging is off', async (t) => {
    const uid = await user(false);
    const ids = [await insert(uid, clean), await insert(uid, far)];
    await ended(...ids);
    t.strictSame(await textsOf(ids[0]!), Object.values(clean.said));
    t.strictSame(await textsOf(ids[1]!), Object.values(far.said));
    for (const id of ids) t.match(await rowOf(id), { merged_into: null, discarded: false });
  });

  for (const [title, given] of [
    ['the better one began first', [clean, far]],
    ['the better one ends last', [far, clean]],
  ] as const) {
    await t.test(`are merged one after the other: ${title}`, async (t) => {
      const uid = await user(true);
      const first = await insert(uid, given[0]);
      await ended(first);
      const before = (await readStored(sql, first))!.structured.title;
      announced.length = 0;
      const second = await insert(uid, given[1]);
      await ended(second);
      t.strictSame(
        await textsOf(first),
        room,
        'the words of the better stream, and those that only the other has',
      );
      t.match(await rowOf(second), { merged_into: first, discarded: true });
      t.strictSame(
        await textsOf(second),
        Object.values(given[1].said),
        'the other one keeps its own transcript',
      );
      await until(() => announced.includes(second), 'its client is told');
      t.ok(before.length > 0);
      const [row] =
        await sql`select started_at, finished_at, speech_probability from conversations where id = ${first}`;
      t.equal(row!.started_at.getTime(), begun);
      t.ok(row!.finished_at.getTime() >= begun + 92_500);
      t.ok(Math.abs(row!.speech_probability - 0.93) < 0.001);
      const [step] = await sql`select state from steps where step = 'structure' and key = ${first}`;
      t.ok(step, 'it is summarised again');
    });
  }

  await t.test('are merged when both end together', async (t) => {
    const uid = await user(true);
    const waiting = await Promise.all(
      [clean, far].map((given) => insert(uid, { ...given, status: 'in_progress' })),
    );
    await sql`update conversations set status = 'processing' where id = any(${waiting})`;
    await sql`select pg_notify('conversation_finished', '')`;
    await ended(...waiting);
    const [kept, merged] = waiting as [string, string];
    t.match(await rowOf(merged), { merged_into: kept, discarded: true, structured: null });
    t.match(await rowOf(kept), { merged_into: null, discarded: false, structured: { title: /./ } });
    t.strictSame(await textsOf(kept), room);

    // Later words of the second device go to the merged conversation.
    const place = {
      ...{ uid, conversation: merged, source: null, device: null, platform: null, language: 'en' },
      ...{ from: begun, to: begun + 1000 },
    };
    t.match(await findLateTarget(sql, place), { kind: 'found', row: { id: kept } });
    const behind = { ...place, conversation: null, from: begun + 94_000, to: begun + 95_000 };
    t.match(await findLateTarget(sql, behind), { kind: 'found', row: { id: kept } });
    await sql.begin(async (transaction) => {
      await lockConversation(transaction, uid, kept);
      await removeConversation(transaction, kept);
    });
    t.equal(await readStored(sql, merged), null, 'both are deleted together');
    const [left] =
      await sql`select count(*)::integer as count from segments where conversation_id = any(${waiting})`;
    t.equal(left!.count, 0);
  });

  await t.test('stay apart if their speech, time or device does not match', async (t) => {
    const other = {
      0: 'The train to Hamburg leaves from platform nine.',
      20: 'We have to change in Hanover.',
    };
    for (const [title, given] of [
      ['another room', { ...far, said: other }],
      ['another time', { ...far, at: 7200 }],
      ['the same device', { ...far, source: clean.source }],
      ['no stream', { ...far, probability: null }],
    ] as const) {
      const uid = await user(true);
      const ids = [await insert(uid, clean), await insert(uid, given)];
      await ended(...ids);
      t.strictSame(await textsOf(ids[0]!), Object.values(clean.said), title);
      t.strictSame(await textsOf(ids[1]!), Object.values(given.said), title);
      for (const id of ids) t.equal((await rowOf(id)).merged_into, null, title);
    }
    const [ann, ben] = [await user(true), await user(true)];
    const ids = [await insert(ann, clean), await insert(ben, far)];
    await ended(...ids);
    for (const id of ids) t.equal((await rowOf(id)).merged_into, null, 'two users');
  });

  await t.test('are merged once more with late words, without doubles', async (t) => {
    const uid = await user(true);
    const first = await insert(uid, clean);
    await ended(first);
    const second = await insert(uid, far);
    await ended(second);
    await sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds, end_seconds)
      values (${randomUUID()}, ${second}, 9, 1, 'It was only the wind in the chimney.', 'SPEAKER_00', 0, false, 100, 103)`;
    await sql`
      update conversations set status = 'processing', revision = revision + 1, claimed_at = null,
        last_speech_at = last_speech_at + interval '10 s', finished_at = finished_at + interval '10 s' where id = ${second}`;
    await sql.notify('conversation_finished', second);
    await ended(second);
    t.match(await rowOf(second), { merged_into: first });
    t.equal((await textsOf(first)).join(' '), `${room.join(' ')} It was only the wind in the chimney.`);
  });
});

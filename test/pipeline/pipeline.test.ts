import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { loadSettings } from '../../src/config/index.js';
import { createLogger } from '../../src/log/index.js';
import { startPipeline } from '../../src/pipeline/index.js';
import { extractiveExtractor, type StructureExtractor } from '../../src/service/index.js';
import { readConversation } from '../../src/store/conversations.js';
import { connectDatabase, type Sql } from '../../src/store/database.js';
import { testDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const log = createLogger('test', 'silent');

interface Given {
  readonly status?: string;
  readonly text?: string | null;
  /** Seconds ago. */
  readonly lastSpeech?: number;
  readonly timeout?: number;
  readonly lease?: number | null;
}

/** A conversation as a journal leaves it. */
const insert = async (sql: Sql, given: Given = {}): Promise<string> => {
  const {
    status = 'processing',
    text = 'We talked about the garden.',
    lastSpeech = 100,
    timeout = 10,
    lease = 50,
  } = given;
  const id = randomUUID();
  const at = (ago: number): Date => new Date(Date.now() - ago * 1000);
  await sql`
    insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, timeout_seconds, engine,
      lease_expires_at)
    values (${id}, 'ann', ${status}, 'svc', ${at(lastSpeech + 5)}, ${at(lastSpeech + 5)}, ${at(lastSpeech)}, ${timeout},
      'engine', ${lease === null ? null : at(lease)})`;
  if (text !== null) {
    await sql`
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds,
        end_seconds)
      values (${randomUUID()}, ${id}, 0, 1, ${text}, 'SPEAKER_00', 0, false, 0, 3)`;
  }
  return id;
};

const statusOf = async (sql: Sql, id: string): Promise<string | null> =>
  (await readConversation(sql, id))?.status ?? null;

/** Waits until a conversation has a status (null: is gone). */
const untilStatus = async (sql: Sql, id: string, status: string | null): Promise<void> => {
  await until(async () => (await statusOf(sql, id)) === status, `${id} is ${status ?? 'gone'}`);
};

const start = (
  t: Test,
  databaseUrl: string,
  more: Record<string, string> = {},
  extractor?: StructureExtractor,
) => {
  const settings = loadSettings({ LEASE_DURATION: '1000', SWEEP_INTERVAL: '200', ...more }).values;
  const pipeline = startPipeline({ settings, databaseUrl, log, extractor });
  t.teardown(() => pipeline.close(5000));
  return pipeline;
};

t.test('the pipeline', async (t) => {
  // Held so that one database server serves every part.
  await testDatabase(t);

  t.test('a finished conversation is summarised and announced', async (t) => {
    const { url, sql } = await testDatabase(t);
    const announced: string[] = [];
    await sql.listen('conversation_completed', (id) => announced.push(id));
    const before = await insert(sql, { text: 'The lawyer went to court before the start.' });
    // Only the notification can wake it in time.
    start(t, url, { SWEEP_INTERVAL: '600000' });
    await untilStatus(sql, before, 'completed');
    const id = await insert(sql, { text: 'The doctor at the hospital gave me a prescription.' });
    await sql.notify('conversation_finished', id);
    await untilStatus(sql, id, 'completed');
    const record = await readConversation(sql, id);
    t.match(record, {
      status: 'completed',
      discarded: false,
      generated_by: 'extractive-2',
      structured: { category: 'health', title: /doctor/i, overview: /prescription/ },
      transcript_segments: [{ text: /doctor/, translations: [] }],
    });
    t.match(record?.finished_at, /Z$/);
    await until(() => announced.length === 2);
    t.same(announced, [before, id]);

    await sql`update conversations set status = 'processing', revision = revision + 1 where id = ${id}`;
    await sql`update segments set text = 'The concert of the band with a guitar song.' where conversation_id = ${id}`;
    await sql.notify('conversation_finished', id);
    t.ok(
      await until(async () => (await readConversation(sql, id))?.structured.category === 'music'),
      'a conversation that grew afterwards is summarised again',
    );
  });

  t.test('what says nothing is discarded, what is empty goes', async (t) => {
    const { url, sql } = await testDatabase(t);
    const filler = await insert(sql, { text: 'Uh, okay.' });
    const empty = await insert(sql, { text: null });
    start(t, url);
    await untilStatus(sql, filler, 'completed');
    t.match(await readConversation(sql, filler), { discarded: true, structured: { title: '' } });
    await untilStatus(sql, empty, null);
  });

  t.test('orphans are swept once silence and lease are over', async (t) => {
    const { url, sql } = await testDatabase(t);
    const orphan = await insert(sql, { status: 'in_progress' });
    const released = await insert(sql, { status: 'in_progress', lease: null });
    const mute = await insert(sql, { status: 'in_progress', text: null });
    const leased = await insert(sql, { status: 'in_progress', lease: -60 });
    const speaking = await insert(sql, { status: 'in_progress', lastSpeech: 100, timeout: 3600 });
    start(t, url);
    await untilStatus(sql, orphan, 'completed');
    await untilStatus(sql, released, 'completed');
    await untilStatus(sql, mute, null);
    const [row] =
      await sql`select epoch, finished_at, last_speech_at from conversations where id = ${orphan}`;
    t.equal(row!.epoch, 2, 'its engine is fenced off');
    t.same(row!.finished_at, row!.last_speech_at, 'it ended with the last word, not with the sweep');
    t.equal(await statusOf(sql, leased), 'in_progress', 'a lease protects');
    t.equal(await statusOf(sql, speaking), 'in_progress', 'so does the timeout');
  });

  t.test(
    'an attempt that fails is repeated; one that always fails ends as failed, and holds up nobody',
    async (t) => {
      const { url, sql } = await testDatabase(t);
      const attempts = new Map<string, number>();
      const faulty: StructureExtractor = {
        name: 'faulty',
        async extract(transcript) {
          const attempt = (attempts.get(transcript.id) ?? 0) + 1;
          attempts.set(transcript.id, attempt);
          if (transcript.id === hopeless || attempt === 1) throw new Error('not today');
          return extractiveExtractor.extract(transcript);
        },
      };
      const hopeless = await insert(sql);
      await sql`update conversations set processing_attempts = 3 where id = ${hopeless}`;
      const wobbly = await insert(sql);
      start(t, url, {}, faulty);
      await untilStatus(sql, wobbly, 'completed');
      t.equal(attempts.get(wobbly), 2);
      t.equal((await readConversation(sql, wobbly))?.generated_by, 'faulty');
      await untilStatus(sql, hopeless, 'failed');
      t.equal(attempts.get(hopeless), 2, 'the attempts of an earlier process count');
      const [job] = await sql`select count(*)::int as n from pgboss.job where data->>'id' = ${wobbly}`;
      t.equal(job!.n, 1, 'one job, however often it was looked for');
    },
  );

  t.test('two pipelines share the work', async (t) => {
    const { url, sql } = await testDatabase(t);
    const seen: string[] = [];
    const sharing = new Set<string>();
    let bothWork = (): void => undefined;
    const shared = new Promise<void>((resolve) => {
      bothWork = resolve;
    });
    const counting = (name: string): StructureExtractor => ({
      name,
      async extract(transcript) {
        seen.push(transcript.id);
        // The first conversation of each is not done before the other has one, too.
        if (sharing.add(name).size === 2) bothWork();
        await shared;
        return extractiveExtractor.extract(transcript);
      },
    });
    start(t, url, {}, counting('one'));
    start(t, url, {}, counting('another'));
    const ids = await Promise.all(Array.from({ length: 12 }, () => insert(sql)));
    await sql.notify('conversation_finished', ids[0]!);
    for (const id of ids) await untilStatus(sql, id, 'completed');
    t.same([...new Set(seen)].sort(), [...ids].sort());
  });

  t.test('connections that break are replaced', async (t) => {
    const { url, sql } = await testDatabase(t);
    start(t, url);
    const first = await insert(sql);
    await sql.notify('conversation_finished', first);
    await untilStatus(sql, first, 'completed');
    const admin = connectDatabase(url, { max: 1 });
    await admin`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name in ('cochlea pipeline', 'cochlea jobs')`;
    await admin.end();
    const second = await insert(sql);
    await sql.notify('conversation_finished', second);
    await untilStatus(sql, second, 'completed');
  });

  t.test('closing waits for the running job and starts no other', async (t) => {
    const { url, sql } = await testDatabase(t);
    let began = (): void => {};
    const running = new Promise<void>((resolve) => {
      began = resolve;
    });
    let goOn = (): void => {};
    const closing = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow: StructureExtractor = {
      name: 'slow',
      async extract(transcript) {
        began();
        await closing;
        return extractiveExtractor.extract(transcript);
      },
    };
    const id = await insert(sql);
    const pipeline = start(t, url, {}, slow);
    await running;
    const closed = pipeline.close(30_000);
    t.equal(await statusOf(sql, id), 'processing', 'the job still runs');
    goOn();
    await closed;
    t.equal(await statusOf(sql, id), 'completed');
    const later = await insert(sql);
    await sql.notify('conversation_finished', later);
    t.equal(await statusOf(sql, later), 'processing');
  });
});

import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createUser } from '../../src/identity/users.js';
import { createLogger } from '../../src/log/logger.js';
import { startPipeline } from '../../src/pipeline/pipeline.js';
import type { Queue } from '../../src/pipeline/turns/queue.js';
import { runWorkers } from '../../src/pipeline/turns/work-runner.js';
import { Signal } from '../../src/pipeline/work/signal.js';
import type { StructureExtractor } from '../../src/service/structure/language/extractor.js';
import { rulesHere } from '../../src/service/text/text-rules.js';

import { connectDatabase, type Sql } from '../../src/store/client/database.js';
import { countOpenJobs } from '../../src/store/jobs/jobs.js';
import { requestSteps, sweepSteps, takeDueSteps } from '../../src/store/jobs/steps.js';
import { takeWaitingConversations } from '../../src/store/jobs/sweep.js';
import { testDatabase } from '../support/database/database.js';
import { plansOf } from '../support/database/plan.js';
import { readStored } from '../support/database/read-stored.js';
import { until } from '../support/until.js';

const log = createLogger('test', 'silent');

interface Given {
  readonly status?: string;
  readonly text?: string | null;
  /** Time of the last speech, in seconds before now. */
  readonly lastSpeech?: number;
  readonly timeout?: number;
  readonly lease?: number | null;
}

/** Stores a conversation as a journal leaves it. */
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
  // All rows are written in one transaction, because a running pipeline removes a conversation without words.
  await sql.begin(async (transaction) => {
    await transaction`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, timeout_seconds,
        engine)
      values (${id}, 'ann', ${status}, 'svc', ${at(lastSpeech + 5)}, ${at(lastSpeech + 5)}, ${at(lastSpeech)}, ${timeout},
        ${lease === null ? null : id})`;
    if (lease !== null)
      await transaction`insert into engine_leases (engine, expires_at) values (${id}, ${at(lease)})`;
    if (text !== null) {
      await transaction`
        insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds,
          end_seconds)
        values (${randomUUID()}, ${id}, 0, 1, ${text}, 'SPEAKER_00', 0, false, 0, 3)`;
    }
  });
  return id;
};

const statusOf = async (sql: Sql, id: string): Promise<string | null> =>
  (await readStored(sql, id))?.status ?? null;

/** Waits until a conversation has a status (null: until it is deleted). */
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
  // Keeps the database server running, so that it serves every subtest.
  await testDatabase(t);

  t.test('summarises and announces a finished conversation', async (t) => {
    const { url, sql } = await testDatabase(t);
    const announced: string[] = [];
    await sql.listen('conversation_completed', (id) => announced.push(id));
    const before = await insert(sql, { text: 'The lawyer went to court before the start.' });
    // Checks are so rare that only the notification can wake the pipeline in time.
    start(t, url, { SWEEP_INTERVAL: '600000' });
    await untilStatus(sql, before, 'completed');
    const id = await insert(sql, { text: 'The doctor at the hospital gave me a prescription.' });
    await sql.notify('conversation_finished', id);
    await untilStatus(sql, id, 'completed');
    const record = await readStored(sql, id);
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
      await until(async () => (await readStored(sql, id))?.structured.category === 'music'),
      'a conversation that grew afterwards is summarised again',
    );
  });

  t.test('discards a conversation without content and deletes an empty one', async (t) => {
    const { url, sql } = await testDatabase(t);
    const filler = await insert(sql, { text: 'Uh, okay.' });
    const empty = await insert(sql, { text: null });
    start(t, url);
    await untilStatus(sql, filler, 'completed');
    t.match(await readStored(sql, filler), { discarded: true, structured: { title: '' } });
    await untilStatus(sql, empty, null);
  });

  t.test('finishes abandoned conversations once silence and lease are over', async (t) => {
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

  t.test('retries a failed attempt, and fails a job after its last attempt', async (t) => {
    const { url, sql } = await testDatabase(t);
    const attempts = new Map<string, number>();
    const faulty: StructureExtractor = {
      name: 'faulty',
      async extract(transcript, uid) {
        const attempt = (attempts.get(transcript.id) ?? 0) + 1;
        attempts.set(transcript.id, attempt);
        if (transcript.id === hopeless || attempt === 1) throw new Error('not today');
        return rulesHere.extract(transcript, uid);
      },
    };
    const hopeless = await insert(sql);
    await sql`update conversations set processing_attempts = 3 where id = ${hopeless}`;
    const wobbly = await insert(sql);
    start(t, url, {}, faulty);
    await untilStatus(sql, wobbly, 'completed');
    t.equal(attempts.get(wobbly), 2);
    t.equal((await readStored(sql, wobbly))?.generated_by, 'faulty');
    await untilStatus(sql, hopeless, 'failed');
    t.equal(attempts.get(hopeless), 2, 'the attempts of an earlier process count');
    const [job] = await sql`select count(*)::int as n from pgboss.job where data->>'id' = ${wobbly}`;
    t.equal(job!.n, 2, 'one job for each attempt, however often it was looked for');
  });

  t.test('limits attempts that ended with their process', async (t) => {
    const { url, sql } = await testDatabase(t);
    const lost = await insert(sql);
    await sql`update conversations set processing_attempts = 20 where id = ${lost}`;
    await createUser(sql, { uid: 'ann' });
    const talk = await insert(sql, { status: 'completed' });
    await requestSteps(sql, 'ann', talk, [{ step: 'memories', again: true }]);
    await sql`update steps set attempts = 20`;
    start(t, url);
    await untilStatus(sql, lost, 'failed');
    const ended = () => sql`select state, error from steps where key = ${talk} and state <> 'waiting'`;
    await until(async () => (await ended()).length > 0);
    t.same([...(await ended())], [{ state: 'dead', error: 'internal' }]);
  });

  t.test('a statement that timed out blocks no worker', async (t) => {
    const outcomes: string[] = [];
    const jobs = ['slow', 'away', 'next'];
    const work = new Signal();
    let closing = false;
    const queue = {
      take: async () => jobs.splice(0, 1).map((id) => ({ jobId: id, job: { id, revision: 1, attempt: 0 } })),
      complete: async (_name: string, id: string) => void outcomes.push(`${id} done`),
      fail: async (_name: string, id: string) => void outcomes.push(`${id} put back`),
    } as unknown as Queue;
    let away = true;
    const running = runWorkers({
      queue,
      name: 'conversation',
      workers: 1,
      work,
      closing: () => closing,
      log,
      async run({ id }) {
        const failed = (code: string) => Object.assign(new Error('no'), { code });
        if (id === 'slow') throw failed('57014');
        if (id === 'away' && away) {
          away = false;
          throw failed('57P01');
        }
      },
    });
    await until(() => outcomes.length === 3);
    closing = true;
    work.wake();
    await running;
    t.same(outcomes, ['slow put back', 'away done', 'next done'], 'a database that is away is waited for');
  });

  t.test('repeated queries use indexes', async (t) => {
    const { sql } = await testDatabase(t);
    await createUser(sql, { uid: 'ann' });
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at)
      select gen_random_uuid(), 'ann', 'completed', 'svc', now(), now() from generate_series(1, 5000)`;
    await sql`
      insert into steps (step, key, uid, state, ended_at)
      select 'memories', n::text, 'ann', 'done', now() from generate_series(1, 5000) as n`;
    await sql`analyze conversations, steps`;
    const few = { pause: 60, limit: 4, served: ['bob', 'ann'], without: ['cleo'], mostOfUser: 4 };
    const looks: Record<string, (watched: Sql) => Promise<unknown>> = {
      countOpenJobs: (watched) => countOpenJobs(watched),
      takeDueSteps: (watched) => takeDueSteps(watched, few),
      sweepSteps: (watched) => sweepSteps(watched),
      takeWaitingConversations: (watched) => takeWaitingConversations(watched, 60, few),
    };
    for (const [name, look] of Object.entries(looks)) {
      const plans = (await plansOf(sql, '', look)).filter((plan) => / on (?:steps|conversations)/.test(plan));
      t.ok(plans.length > 0, name);
      for (const plan of plans) t.notMatch(plan, /Seq Scan on (?:steps|conversations)/, name);
    }
  });

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
      async extract(transcript, uid) {
        seen.push(transcript.id);
        // The first conversation of each worker ends only when the other worker also has a conversation.
        if (sharing.add(name).size === 2) bothWork();
        await shared;
        return rulesHere.extract(transcript, uid);
      },
    });
    start(t, url, {}, counting('one'));
    start(t, url, {}, counting('another'));
    const ids = await Promise.all(Array.from({ length: 12 }, () => insert(sql)));
    await sql.notify('conversation_finished', ids[0]!);
    for (const id of ids) await untilStatus(sql, id, 'completed');
    t.same([...new Set(seen)].sort(), [...ids].sort());
  });

  t.test('replaces broken connections', async (t) => {
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

  t.test('close waits for the running job and starts no other', async (t) => {
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
      async extract(transcript, uid) {
        began();
        await closing;
        return rulesHere.extract(transcript, uid);
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

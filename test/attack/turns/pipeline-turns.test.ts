/**
 * Thousands of completed conversations of one user delay other users by only a few jobs. The same applies after a
 * restart and when jobs fail.
 */
import t, { type Test } from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createUser } from '../../../src/identity/users.js';
import { createLogger } from '../../../src/log/logger.js';
import { startPipeline } from '../../../src/pipeline/pipeline.js';
import type { StructureExtractor } from '../../../src/service/structure/language/extractor.js';
import { rulesHere } from '../../../src/service/text/text-rules.js';
import type { Sql } from '../../../src/store/client/database.js';
import { takeDueSteps } from '../../../src/store/jobs/steps.js';
import { takeWaitingConversations } from '../../../src/store/jobs/sweep.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';

const log = createLogger('test', 'silent');

/** Stores completed conversations of a user, each with one sentence. */
const finished = async (sql: Sql, uid: string, count: number): Promise<void> => {
  await createUser(sql, { uid }).catch(() => undefined);
  await sql.begin(async (transaction) => {
    await transaction`
      with made as (
        insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at)
        select gen_random_uuid(), ${uid}, 'processing', 'phone', now(), now(), now() from generate_series(1, ${count}::integer)
        returning id)
      insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds,
        end_seconds)
      select gen_random_uuid(), id, 0, 1, 'The garden plan is finished.', 'SPEAKER_00', 0, false, 0, 3 from made`;
  });
  await sql.notify('conversation_finished', uid);
};

/** Number of workers of a job queue that uses no model. */
const workers = 4;

const start = (t: Test, databaseUrl: string, extractor: StructureExtractor) => {
  const settings = loadSettings({ SWEEP_INTERVAL: '300' }).values;
  const pipeline = startPipeline({ settings, databaseUrl, log, extractor });
  t.teardown(() => pipeline.close(5000));
  return pipeline;
};

t.test('jobs of completed conversations', { timeout: 60_000 }, async (t) => {
  const { sql, url } = await testDatabase(t);

  t.test('takes conversations and steps of users in turn', async (t) => {
    await finished(sql, 'flooder', 5000);
    for (const uid of ['ann', 'bob']) await finished(sql, uid, 2);
    await sql`
      insert into steps (step, key, uid, conversation_id)
      select 'memories', id::text, uid, id from conversations`;
    const turns = { pause: 60, limit: 5, served: ['flooder', 'ann'], without: [], mostOfUser: 5 };
    for (const [what, take] of [
      ['conversations', () => takeWaitingConversations(sql, 60, turns)],
      ['steps', () => takeDueSteps(sql, turns)],
    ] as const) {
      const taken = (await take()).map(({ uid }) => uid);
      t.same(
        taken,
        ['bob', 'flooder', 'ann', 'bob', 'flooder'],
        `${what}: the user who has waited longest comes first`,
      );
      t.same(
        (await take()).map(({ uid }) => uid),
        ['flooder', 'ann', 'flooder', 'flooder', 'flooder'],
        `${what}: no job is taken twice`,
      );
    }
    await sql`delete from conversations`;
  });

  t.test(
    'many jobs of one user delay others by few jobs, also with failures and after a restart',
    async (t) => {
      await finished(sql, 'flooder', 2000);
      const order: string[] = [];
      let fails = false;
      const noting: StructureExtractor = {
        name: 'noting',
        async extract(transcript, uid) {
          order.push(uid);
          if (fails && uid === 'flooder') throw new Error('it fails');
          return rulesHere.extract(transcript, uid);
        },
      };
      const before = async (uid: string, what: string): Promise<void> => {
        const from = order.length;
        await finished(sql, uid, 1);
        await until(() => order.includes(uid), `${uid} is served`);
        const delay = order.indexOf(uid) - from;
        t.ok(delay <= 6 * workers, `${what}: served after ${delay} jobs of the flooder`);
      };
      const first = start(t, url, noting);
      await until(() => order.length > 10);
      await before('cid', 'while it works');
      fails = true;
      await until(() => order.length > 60);
      await before('dan', 'while jobs fail and are repeated');
      await first.close(5000);
      const stopped = order.length;
      await finished(sql, 'eva', 1);
      start(t, url, noting);
      await until(() => order.includes('eva'), 'eva is served');
      t.ok(order.indexOf('eva') - stopped <= 6 * workers, 'served soon after a restart');
      const [row] = await sql<{ waiting: number }[]>`
      select count(*)::integer as waiting from pgboss.job where name = 'conversation' and state < 'active'`;
      t.ok(row!.waiting <= 2 * workers, `${row!.waiting} jobs in the shared queue`);
    },
  );
});

t.test('users with slow jobs leave workers to others', { timeout: 60_000 }, async (t) => {
  const { sql, url } = await testDatabase(t);
  const slow = Array.from({ length: 6 }, (_, index) => `slow ${index}`);
  for (const uid of slow) await finished(sql, uid, 20);
  let ended = 0;
  /**
   * Becomes true when the pipeline has measured long jobs of each of these users. Their jobs that begin later wait
   * until it is false again.
   */
  let holds = false;
  const held: (() => void)[] = [];
  const order: string[] = [];
  const slowly: StructureExtractor = {
    name: 'slowly',
    async extract(transcript, uid) {
      order.push(uid);
      if (uid.startsWith('slow')) {
        await new Promise<void>((resolve) => {
          if (holds) held.push(resolve);
          else setTimeout(resolve, 2500);
        });
        ended++;
      }
      return rulesHere.extract(transcript, uid);
    },
  };
  start(t, url, slowly);
  await until(() => ended >= 6);
  holds = true;
  await until(() => held.length === 2, 'long jobs take both of their slots');
  for (const uid of ['ann', 'bob', 'cid', 'dan']) {
    await finished(sql, uid, 1);
    await until(() => order.includes(uid), `${uid} is served while long jobs run`, 20_000);
    t.equal(held.length, 2, `${uid} is served while two long jobs run`);
  }
  holds = false;
  for (const end of held) end();
});

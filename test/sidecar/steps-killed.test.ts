/**
 * Kills a sidecar during every step of a conversation: first while the steps wait for the model, then while they
 * commit. The next sidecar completes all steps once.
 */
import t from 'tap';
import type { Sql } from '../../src/store/client/database.js';
import {
  askedSteps,
  finishedConversation,
  goodAnswer,
  markOf,
  modelName,
  outcomeOf,
  untilSettled,
} from '../pipeline/model-support.js';
import { testDatabase } from '../support/database/database.js';
import { startModelServer } from '../support/servers/model-server.js';
import { until } from '../support/until.js';
import { startSidecarProcess } from './sidecar-process.js';

/** Makes claims of dead processes expire and all waiting steps due, so that a running sidecar takes the jobs over. */
const passTime = async (sql: Sql): Promise<void> => {
  await sql`update conversations set claimed_at = now() - interval '1 hour' where status = 'processing'`;
  await sql`update steps set due_at = now() where state = 'waiting'`;
};

const gate = 4712;
/**
 * Makes every commit that completes a step or a conversation wait while another transaction holds the advisory lock
 * `gate`.
 */
const addGates = async (sql: Sql): Promise<void> => {
  await sql.unsafe(`
    create function wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${gate}); return null; end $$;
    create constraint trigger wait_at_commit after update of ended_at on steps
      deferrable initially deferred for each row when (new.state = 'done') execute function wait_at_commit();
    create constraint trigger wait_at_commit after update of completed_at on conversations
      deferrable initially deferred for each row execute function wait_at_commit()`);
};

t.test('steps are completed once after a sidecar is killed', { timeout: 180_000 }, async (t) => {
  const { sql, url } = await testDatabase(t);
  const server = await startModelServer(t);
  server.answer = goodAnswer;
  const start = () =>
    startSidecarProcess(t, {
      DATABASE_URL: url,
      COCHLEA_DATA_DIR: t.testdirName,
      SENTENCE_MODEL: 'none',
      SWEEP_INTERVAL: '200',
      LLM_BASE_URL: server.url,
      LLM_MODEL: 'tiny',
      LLM_CONCURRENCY: '12',
    });
  t.testdir();
  await addGates(sql);

  // There is one conversation for each step. The model blocks the step that the conversation's mark names.
  const waiting = new Set<string>();
  server.gate = async (request) => {
    if (markOf(request) !== request.step) return;
    waiting.add(request.step);
    await new Promise(() => undefined);
  };
  const made = new Map<string, { uid: string; id: string }>();
  for (const step of askedSteps) made.set(step, await finishedConversation(sql, step));
  const first = await start();
  await until(async () => {
    await sql`update steps set due_at = now() where step = 'daily_summary' and attempts = 0 and state = 'waiting'`;
    return waiting.size === askedSteps.length;
  }, 'every step waits for the model');
  await first.kill();

  // The model answers the second sidecar. The test kills this sidecar while its transactions commit.
  server.gate = async () => undefined;
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${gate})`;
    await passTime(sql);
    const second = await start();
    await until(async () => {
      const [row] = await sql`
        select count(*)::integer as held from pg_stat_activity
        where datname = current_database() and application_name = 'cochlea pipeline' and wait_event = 'advisory'`;
      return row!.held >= 2;
    }, 'transactions wait at their commit');
    await second.kill();
    await until(async () => {
      const [row] = await sql`
        select count(*)::integer as held from pg_stat_activity
        where datname = current_database() and application_name = 'cochlea pipeline'`;
      // PostgreSQL notices a lost client only when it writes to the connection. Ending the backends avoids that wait.
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'cochlea pipeline'`;
      return row!.held === 0;
    }, "the killed sidecar's transactions have ended");
  });

  await start();
  await until(async () => {
    await passTime(sql);
    const [row] = await sql`select count(*)::integer as open from conversations where status <> 'completed'`;
    return row!.open === 0;
  }, 'the conversations are complete');
  await passTime(sql);
  await untilSettled(sql, 'every step has ended');
  for (const [mark, conversation] of made) {
    const outcome = await outcomeOf(sql, conversation);
    t.match(
      outcome,
      {
        status: 'completed',
        title: `Told [${mark}]`,
        made_by: modelName,
        memories: [`Has a dentist [${mark}].`],
        items: [`Call the dentist [${mark}]`],
        structured_items: [`Call the dentist [${mark}]`],
        goal: 7,
        days: [`A day [${mark}]`],
        folder: 'Work',
      },
      `${mark}: everything exists once`,
    );
    t.ok(
      Object.values(outcome.steps).every(({ state }) => state === 'done'),
      `${mark}: every step is done`,
    );
  }
});

/** Tests two connections that change the same conversation at the same time. Locks fix the order of the steps. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { connectDatabase, type Sql } from '../../../src/store/client/database.js';
import { sweepOrphans } from '../../../src/store/jobs/sweep.js';
import { renewEngineLease } from '../../../src/store/live/engine-leases.js';
import { commitFencedChange } from '../../../src/store/live/fenced-writes.js';
import { endConversation } from '../../../src/store/live/leases.js';
import type { SpilledChange } from '../../../src/wire/spill/spill.js';
import { testDatabase, untilBlocked } from '../../support/database/database.js';
import { saidSegment } from '../../support/texts/said-segment.js';

/** Inserts an unfinished conversation without words. It has been silent for an hour, and the lease of its engine has expired. */
const orphan = async (sql: Sql, engine = 'gone'): Promise<string> => {
  const id = randomUUID();
  await sql`
    insert into conversations (id, uid, status, source, created_at, last_speech_at, timeout_seconds, engine)
    values (${id}, 'ann', 'in_progress', 'svc', now() - interval '1 hour', now() - interval '1 hour', 10, ${engine})`;
  return id;
};

const lateWords = (id: string): SpilledChange => ({
  conversation: {
    id,
    uid: 'ann',
    source: 'svc',
    deviceId: null,
    clientPlatform: null,
    language: 'en',
    timeout: 10,
    usesCustomStt: false,
    createdAt: Date.now() - 3_600_000,
  },
  epoch: 7,
  startedAt: Date.now() - 3_600_000,
  lastSpeechAt: Date.now() - 3_600_000,
  speechProbability: null,
  spoken: null,
  rows: [
    {
      id: 'late',
      position: 0,
      revision: 1,
      segment: saidSegment('late words', { id: 'late', end: 1 }),
    },
  ],
});

t.test('simultaneous changes of a conversation', async (t) => {
  const { url, sql } = await testDatabase(t);
  const other = connectDatabase(url, { max: 2, name: 'other' });
  t.teardown(() => other.end({ timeout: 1 }));
  const state = async (id: string) => {
    const [row] = await sql`
      select status, (select count(*)::integer from segments where conversation_id = c.id) as segments
      from conversations c where id = ${id}`;
    return row;
  };

  /** Sweeps, and runs `meanwhile` after the sweep has read the rows and before it locks them. @returns the result of the sweep. */
  const sweepDuring = async (meanwhile: (keeper: Sql) => Promise<unknown>) => {
    // A view replaces the table. The view calls a function that blocks the sweep.
    await sql.unsafe(`
      alter table conversations rename to conversations_behind;
      create function gate() returns boolean language plpgsql volatile as $$
        begin perform pg_advisory_lock_shared(42), pg_advisory_unlock_shared(42); return true; end $$;
      create view conversations as select * from conversations_behind where gate();`);
    const keeper = connectDatabase(url, { max: 1, name: 'keeper' });
    t.teardown(() => keeper.end({ timeout: 1 }));
    await keeper`select pg_advisory_lock(42)`;
    const sweeping = sweepOrphans(sql, 0);
    await untilBlocked(other);
    await meanwhile(keeper);
    await keeper`select pg_advisory_unlock(42)`;
    const swept = await sweeping;
    await sql.unsafe(`
      drop view conversations; drop function gate; alter table conversations_behind rename to conversations`);
    return swept;
  };

  await t.test('a sweep keeps a conversation whose words are committed during the sweep', async (t) => {
    const id = await orphan(sql);
    const swept = await sweepDuring(
      (keeper) => keeper`
        insert into segments (id, conversation_id, position, revision, text, speaker, speaker_id, is_user, start_seconds,
          end_seconds) values ('late', ${id}, 0, 1, 'late words', 'SPEAKER_00', 0, false, 0, 1)`,
    );
    t.strictSame(swept, { finished: [id], deleted: [] });
    t.strictSame(await state(id), { status: 'processing', segments: 1 });
  });

  await t.test('a sweep leaves a conversation whose engine renews its lease during the sweep', async (t) => {
    const id = await orphan(sql, 'late');
    const swept = await sweepDuring((keeper) => renewEngineLease(keeper, 'late', 60_000));
    t.strictSame(swept, { finished: [], deleted: [] });
    t.strictSame(await state(id), { status: 'in_progress', segments: 0 });
  });

  await t.test('ending a conversation waits for late words and keeps them', async (t) => {
    const id = await orphan(sql);
    let commit = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let wrote = (): void => undefined;
    const written = new Promise<void>((resolve) => {
      wrote = resolve;
    });
    const late = other.begin(async (transaction) => {
      await commitFencedChange(transaction, lateWords(id));
      wrote();
      await held;
    });
    await written;
    const ending = sql.begin((transaction) => endConversation(transaction, id, null, Date.now()));
    await untilBlocked(other);
    commit();
    await late;
    t.equal(await ending, 'processing');
    t.strictSame(await state(id), { status: 'processing', segments: 1 });
  });

  await t.test('late words that wait for a removal create the conversation again', async (t) => {
    const id = await orphan(sql);
    let commit = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let ended = (): void => undefined;
    const removed = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const removal = sql.begin(async (transaction) => {
      await endConversation(transaction, id, null, Date.now());
      ended();
      await held;
    });
    await removed;
    const late = other.begin((transaction) => commitFencedChange(transaction, lateWords(id)));
    await untilBlocked(sql);
    commit();
    await Promise.all([removal, late]);
    t.strictSame(await state(id), { status: 'in_progress', segments: 1 });
  });
});

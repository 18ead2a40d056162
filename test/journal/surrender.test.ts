/**
 * Tests that the next journal takes over the spill of a lost thread, even while this thread still has the files open.
 */
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { SpillFolders } from '../../src/journal/spill-folders.js';
import { testDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';
import { startProxy } from './proxy.js';
import { change, opening, stored, testJournal } from './support.js';

const engineId = 'engine-of-this-test';

/** Makes a shard acknowledge words while the database is away. The spill stays open, as in a hanging thread. */
const spillWords = async (t: Test, url: string, spillDir: string, uid: string): Promise<string> => {
  const proxy = await startProxy(url);
  const { journal } = await testJournal(proxy.url, spillDir, { engineId, databaseTimeout: 500 });
  t.teardown(async () => {
    await journal.close(0);
    await proxy.close();
  });
  const { lease } = await journal.open(opening({ uid }));
  proxy.mode = 'refused';
  const outcome = await journal.commit([change(lease, [stored('s1', 'words of the lost thread')])]);
  t.equal(outcome.get(lease.conversationId), 'spill');
  return lease.conversationId;
};

const kinds = (spillDir: string): string[] => readdirSync(spillDir).map((name) => name.split('~')[3] ?? name);

t.test('the spill of a lost shard', async (t) => {
  const { url, sql } = await testDatabase(t);
  const textsOf = async (id: string): Promise<string[]> => {
    const rows = await sql<{ text: string }[]>`select text from segments where conversation_id = ${id}`;
    return rows.map(({ text }) => text);
  };

  await t.test('is replayed although the lost thread hangs during a write to it', async (t) => {
    const spillDir = t.testdir();
    const id = await spillWords(t, url, spillDir, 'ada');
    const gate = new SharedArrayBuffer(4);
    const path = join(spillDir, readdirSync(spillDir)[0]!);
    const holder = new Worker(new URL('./lock-holder.js', import.meta.url), { workerData: { path, gate } });
    await once(holder, 'message');

    await new SpillFolders(spillDir, engineId, 0).surrender(false);
    t.same(kinds(spillDir).sort(), ['held', 'left']);
    const next = await testJournal(url, spillDir, { engineId });
    t.same(await textsOf(id), ['words of the lost thread']);
    const resumed = await next.journal.open(opening({ uid: 'ada' }));
    t.equal(resumed.lease.conversationId, id);
    t.equal(resumed.segmentCount, 1);
    t.same(kinds(spillDir), ['held'], 'the copy is erased, the original waits for the end of the process');
    t.notOk(await new SpillFolders(spillDir, engineId, 0).leftoversRemain(), 'and holds nothing up');

    const left = once(holder, 'exit');
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
    await left;
    // The token of the owning process names no running process, as if the process had ended.
    for (const name of readdirSync(spillDir)) {
      const [engine, shard, , ...rest] = name.split('~');
      renameSync(join(spillDir, name), join(spillDir, [engine, shard, '1.dead', ...rest].join('~')));
    }
    await next.journal.close(0);
    const later = await testJournal(url, spillDir, { engineId });
    await later.journal.close(0);
    t.same(await textsOf(id), ['words of the lost thread'], 'replayed a second time it changes nothing');
    t.same(kinds(spillDir), []);
  });

  await t.test('prevents all shards from continuing its conversations until it is replayed', async (t) => {
    const spillDir = t.testdir();
    let surrenders = 0;
    const other = await testJournal(url, spillDir, { engineId, shard: 1, surrenders: () => surrenders });
    t.teardown(() => other.journal.close(0));
    await other.journal.open(opening({ uid: 'another-user' }));
    const id = await spillWords(t, url, spillDir, 'eve');
    await new SpillFolders(spillDir, engineId, 0).surrender(true);
    surrenders++;
    let continued = '';
    const opened = other.journal.open(opening({ uid: 'eve' })).then((conversation) => {
      continued = conversation.lease.conversationId;
      return conversation;
    });
    t.same(kinds(spillDir), ['left']);
    t.equal(continued, '');
    const next = await testJournal(url, spillDir, { engineId });
    t.teardown(() => next.journal.close(0));
    const { segmentCount } = await opened;
    t.equal(continued, id);
    t.equal(segmentCount, 1, 'with the words that were acknowledged');
  });

  await t.test('waits for the end of the process if it cannot be copied', async (t) => {
    const spillDir = t.testdir();
    const id = await spillWords(t, url, spillDir, 'bob');
    const [name] = readdirSync(spillDir);
    // Creates a folder at the path where the copy would be written.
    mkdirSync(join(spillDir, `copy-${name}`));
    await t.rejects(new SpillFolders(spillDir, engineId, 0).surrender(false), { code: 'EEXIST' });
    t.same(kinds(spillDir), ['held']);
    const next = await testJournal(url, spillDir, { engineId });
    t.teardown(() => next.journal.close(0));
    t.same(await textsOf(id), []);
    await until(() => kinds(spillDir).length === 1);
  });
});

/** Tests that each word is stored once if processes stop, continue or die while copies are replayed. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { withoutNats } from '../../support/servers/find-nats.js';
import { until } from '../../support/until.js';
import { startProxy } from '../proxy.js';
import { opening, storedTexts } from '../support.js';
import { expireLeases, startCopiedFleet } from './support.js';

/** Starts a program of this folder. It ends with the test. */
const start = (
  t: { teardown(action: () => unknown): unknown },
  name: string,
  values: readonly string[],
): ChildProcess => {
  const child = fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)), values, { execArgv: [] });
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
};

/**
 * Returns words that are numbers, from `from` up to but excluding `end`. The number of a word is also its position in
 * the conversation.
 */
const words = (from: number, end: number) => Array.from({ length: end - from }, (_, at) => String(from + at));

t.test('races of the replay', { skip: withoutNats, timeout: 300_000 }, async (t) => {
  const { url, sql, server, replay, waiting, copied, lose } = await startCopiedFleet(t);

  await t.test('an engine is stopped past its lease and continues during the replay', async (t) => {
    const proxy = await startProxy(url);
    t.teardown(() => proxy.close());
    const engine = start(t, 'copying-engine', [proxy.url, server.url, t.testdir(), 'stopped']);
    const answer = async () => (await once(engine, 'message'))[0] as { conversation: string; how: string };
    const say = (spoken: readonly string[]) => {
      const answered = answer();
      engine.send(spoken);
      return answered;
    };
    const { conversation } = await answer();
    t.equal((await say(words(0, 1))).how, 'database');
    proxy.mode = 'refused';
    for (let word = 1; word < 100; word++) await say(words(word, word + 1));
    await until(async () => (await waiting()) === 1);
    engine.kill('SIGSTOP');
    await expireLeases(sql);
    const looks = (async () => {
      for (let look = 0; look < 3; look++) await replay.look();
    })();
    await until(async () => (await storedTexts(sql, conversation)).length > 1);
    // Removes a word that was just stored. The engine must not store it again.
    await sql`delete from segments where id = 'stopped-1'`;
    proxy.mode = 'open';
    engine.kill('SIGCONT');
    await looks;
    await until(async () => (await say(words(100, 101))).how === 'database');
    t.same(await storedTexts(sql, conversation), [...words(0, 1), ...words(2, 101)]);
    await until(async () => {
      await replay.look();
      return (await waiting()) === 0;
    });
    t.same(await storedTexts(sql, conversation), [...words(0, 1), ...words(2, 101)]);
    const [row] = await sql`
      select l.expires_at >= now() as alive from conversations c join engine_leases l on l.engine = c.engine
      where c.id = ${conversation}`;
    t.equal(row?.alive, true, 'the engine holds its conversation');
  });

  await t.test('a sidecar is killed between its commit and the removal of copies', async (t) => {
    const lost = await copied(t);
    const { lease } = await lost.journal.open(opening({ uid: 'killed' }));
    lost.proxy.mode = 'refused';
    for (const [position, word] of words(0, 40).entries()) await lost.say(lease, `k-${word}`, word, position);
    await lose(lost);
    const sidecar = start(t, 'killed-sidecar', [url, server.url, t.testdir({})]);
    const [, signal] = await once(sidecar, 'exit');
    t.equal(signal, 'SIGKILL');
    const first = await storedTexts(sql, lease.conversationId);
    t.ok(first.length > 0, 'it has committed');
    t.equal(await waiting(), 1, 'all copies are still there');
    await sql`delete from segments where id = 'k-0'`;
    await until(async () => {
      await replay.look();
      return (await waiting()) === 0;
    });
    t.same(await storedTexts(sql, lease.conversationId), words(1, 40));
  });
});

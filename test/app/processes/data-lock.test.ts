import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { takeDataLock } from '../../../src/app/process/data-lock.js';
import { openFolder } from '../../support/folder.js';

interface Answer {
  readonly taken: boolean;
  readonly code?: string;
  readonly pid?: number;
}

/** Starts another process that tries to take a lock. If it succeeds, it holds the lock until it is killed. */
const contender = (
  t: Test,
  folder: string,
  name: string,
): { child: ChildProcess; answer: Promise<Answer> } => {
  const child = fork(fileURLToPath(new URL('./data-lock-holder.js', import.meta.url)), [folder, name]);
  t.teardown(() => child.kill('SIGKILL'));
  return { child, answer: once(child, 'message').then(([message]) => message as Answer) };
};

const lockFiles = (folder: string): string[] => readdirSync(folder).filter((file) => file.includes('lock'));

t.test('refuses a second process and names the holder; any death of the first frees the lock', async (t) => {
  const folder = openFolder(t);
  const first = contender(t, folder, 'engine-0');
  t.match(await first.answer, { taken: true });
  const { pid } = first.child;
  t.match(await contender(t, folder, 'engine-0').answer, { taken: false, code: 'already_running', pid });
  await t.rejects(takeDataLock(folder, 'engine-0'), {
    code: 'already_running',
    details: { path: folder, pid },
  });
  const other = await takeDataLock(folder, 'engine-1');
  t.pass('another name is another lock');
  other.release();

  first.child.kill('SIGSTOP');
  await t.rejects(
    takeDataLock(folder, 'engine-0'),
    { code: 'already_running' },
    'a holder that is stopped holds it',
  );
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  t.ok(lockFiles(folder).length > 0, 'the dead left a file');
  t.match(await contender(t, folder, 'engine-0').answer, { taken: true });
});

t.test('a client that asks for the holder and never closes does not block it', async (t) => {
  const folder = openFolder(t);
  const lock = await takeDataLock(folder, 'engine-0');
  t.teardown(() => lock.release());
  const [file] = lockFiles(folder);
  const socket = connect({ path: join(folder, file!), allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  const [said] = (await once(socket, 'data')) as [Buffer];
  t.equal(String(said), String(process.pid));
  await once(socket, 'end');
  const failed = once(socket, 'error');
  socket.write('still here');
  t.match(await failed, [{ code: 'EPIPE' }], 'the other end is closed, not half closed');
});

t.test('only one of many processes takes the lock of a dead holder', async (t) => {
  const folder = openFolder(t);
  const dead = contender(t, folder, 'up');
  await dead.answer;
  dead.child.kill('SIGKILL');
  await once(dead.child, 'exit');
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => takeDataLock(folder, 'up')));
  const winners = outcomes.filter(({ status }) => status === 'fulfilled');
  t.equal(winners.length, 1);
  t.equal(lockFiles(folder).length, 1, 'what the others tried is cleaned up');
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') outcome.value.release();
});

t.test('waits for a lock that is released in time', async (t) => {
  const folder = openFolder(t);
  const first = await takeDataLock(folder, 'up');
  const second = takeDataLock(folder, 'up', 10_000);
  first.release();
  (await second).release();
  for (let round = 0; round < 3; round++) (await takeDataLock(folder, 'up')).release();
  t.equal(lockFiles(folder).length, 1, 'files do not pile up');
});

t.test('ignores files that are not sockets', async (t) => {
  const folder = openFolder(t);
  writeFileSync(join(folder, '.up.lock.7'), '');
  writeFileSync(join(folder, '.up.lock.name'), '');
  (await takeDataLock(folder, 'up')).release();
});

for (const platform of ['linux', 'darwin'] as const) {
  t.test(`supports a path that is too long for a socket address on ${platform}`, async (t) => {
    const folder = join(openFolder(t), 'x'.repeat(120));
    mkdirSync(folder);
    const lock = await takeDataLock(folder, 'up', 0, platform);
    const second = takeDataLock(folder, 'up', 0, platform);
    await t.rejects(second, { code: 'already_running', details: { pid: process.pid } });
    const links = readdirSync('/tmp')
      .filter((file) => file.startsWith('cochlea-'))
      .flatMap((file) => {
        try {
          return readlinkSync(join('/tmp', file));
        } catch {
          return [];
        }
      });
    t.notOk(links.includes(folder), 'no symbolic link to it is left');
    lock.release();
  });
}

/** Tests how a process is distinguished from a later process with the same id. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { isAlive, processToken, startByPs } from '../../src/journal/process-token.js';

t.test('a token identifies a running process, and no ended one', async (t) => {
  t.ok(isAlive(processToken()));
  t.notOk(isAlive(`${process.pid}.0`), 'another process had this id');
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  t.notOk(isAlive(`${child.pid}.0`));
});

t.test('reads the same start time in every time zone without /proc', async (t) => {
  const zone = process.env.TZ;
  t.teardown(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  const starts = ['UTC', 'Asia/Kolkata'].map((name) => {
    process.env.TZ = name;
    return startByPs(process.pid);
  });
  if (starts[0] === undefined) t.pass('starts of processes', { skip: 'this machine has no ps' });
  else t.equal(starts[0], starts[1]);
  t.equal(startByPs(2 ** 30), undefined, 'no such process');
});

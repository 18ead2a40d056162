/** A process starts even if the system refuses a change of its niceness. */
import t from 'tap';
import { backgroundNiceness, yieldProcessor } from '../../../src/config/process/priority.js';

/** Returns the error that Node throws for a refused system call. */
const refusal = (code: string): Error =>
  Object.assign(new Error('A system error occurred'), { code: 'ERR_SYSTEM_ERROR', info: { code } });

for (const code of ['EPERM', 'EACCES', 'ENOSYS']) {
  t.test(`continues if the system refuses with ${code}`, async (t) => {
    const setPriority = (): void => {
      throw refusal(code);
    };
    t.equal(yieldProcessor({ getPriority: () => 0, setPriority }), false);
  });
}

t.test('throws any other error', async (t) => {
  const setPriority = (): void => {
    throw refusal('ESRCH');
  };
  t.throws(() => yieldProcessor({ getPriority: () => 0, setPriority }), {
    message: 'A system error occurred',
  });
});

t.test('does not change a process that already has this niceness', async (t) => {
  const set: number[] = [];
  const systemAt = (niceness: number) => ({
    getPriority: () => niceness,
    setPriority: (to: number) => void set.push(to),
  });
  t.equal(yieldProcessor(systemAt(0)), true);
  for (const niceness of [backgroundNiceness, 19]) t.equal(yieldProcessor(systemAt(niceness)), true);
  t.same(set, [backgroundNiceness]);
});

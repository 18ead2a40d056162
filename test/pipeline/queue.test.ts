/** Jobs that are added together keep their order and cost about as much as one job. Duplicates are refused. */
import t from 'tap';
import { openQueue, type StepJob } from '../../src/pipeline/turns/queue.js';
import { testDatabase } from '../support/database/database.js';

const jobsOf = (prefix: string, count: number): StepJob[] =>
  Array.from({ length: count }, (_, index) => ({
    step: 'memories',
    key: `${prefix}-${index}`,
    run: 1,
    attempt: 0,
  }));

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

t.test('adds jobs together and skips known ones', async (t) => {
  const { url } = await testDatabase(t);
  const queue = await openQueue(url, 60, '', () => undefined);
  t.teardown(() => queue.close());
  const jobs = jobsOf('first', 40);
  t.same(await queue.send('step', jobs), []);
  t.same(await queue.send('step', []), []);
  const [like] = jobs;
  const other = jobsOf('other', 1);
  t.same(await queue.send('step', [like!, ...other, ...other]), [like, ...other], 'their likes are refused');
  t.equal(await queue.waiting('step'), 41);
  const taken = await queue.take('step', 25);
  const keys = (given: readonly StepJob[]): string[] => given.map(({ key }) => key).sort();
  t.same(keys(taken.map(({ job }) => job)), keys(jobs.slice(0, 25)), 'the first are taken first');

  // One job and many jobs are measured alternately, so that other load of the machine affects both.
  const times: Record<'one' | 'many', number[]> = { one: [], many: [] };
  for (let round = 0; round < 15; round++) {
    for (const [kind, count] of [
      ['one', 1],
      ['many', 40],
    ] as const) {
      const given = jobsOf(`${kind}-${round}`, count);
      const began = performance.now();
      await queue.send('step', given);
      times[kind].push(performance.now() - began);
    }
  }
  const ratio = median(times.many) / median(times.one);
  t.ok(ratio < 15, `40 jobs take ${ratio.toFixed(1)} times as long as one`);
});

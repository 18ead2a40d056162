/** Tests how jobs are collected into batches. The tests open batches explicitly instead of waiting. */
import t from 'tap';
import { Batcher } from '../../../src/engine/shared/batcher.js';
import { until } from '../../support/until.js';

interface Running {
  readonly jobs: number[];
  finish(): void;
  fail(): void;
}

/** Makes a batcher of numbers. The weight of a number is its value, and its result is its square. */
const setUp = (options: Partial<{ concurrency: number; limit: number; capacity: number }> = {}) => {
  const batches: Running[] = [];
  const batcher = new Batcher<number, number>({
    concurrency: 1,
    gatherTime: 1,
    limit: 10,
    capacity: 100,
    weigh: (job) => job,
    run: (jobs) =>
      new Promise((resolve, reject) => {
        const finish = () => resolve(jobs.map((job) => job * job));
        batches.push({ jobs, finish, fail: () => reject(new Error('broken')) });
      }),
    ...options,
  });
  return { batcher, batches };
};

/** Opens a batch and resolves when it has started. Everything that was due before has then happened. */
const settle = async (): Promise<void> => {
  const { batcher, batches } = setUp();
  const result = batcher.add(1);
  await until(() => batches.length === 1);
  batches[0]!.finish();
  await result;
};

void t.test('processes jobs that arrive together in one batch', async (t) => {
  const { batcher, batches } = setUp();
  const results = [1, 2, 3].map((job) => batcher.add(job));
  t.equal(batches.length, 0, 'there may be more');
  await settle();
  t.same(
    batches.map(({ jobs }) => jobs),
    [[1, 2, 3]],
  );
  batches[0]!.finish();
  t.same(await Promise.all(results), [1, 4, 9]);
});

void t.test('starts a full batch at once; later jobs wait for a free worker', async (t) => {
  const { batcher, batches } = setUp();
  const results = [4, 6, 5, 7, 3].map((job) => batcher.add(job));
  t.same(batches[0]!.jobs, [4, 6]);
  await settle();
  t.equal(batches.length, 1, 'the worker is busy');
  batches[0]!.finish();
  await settle();
  t.same(batches[1]!.jobs, [5, 7], 'the one that fills it belongs to it');
  batches[1]!.finish();
  await settle();
  t.same(batches[2]!.jobs, [3]);
  batches[2]!.finish();
  t.same(await Promise.all(results), [16, 36, 25, 49, 9]);
});

void t.test('uses every worker and runs a job larger than a batch alone', async (t) => {
  const { batcher, batches } = setUp({ concurrency: 2 });
  const results = [99, 98, 97].map((job) => batcher.add(job));
  t.same(
    batches.map(({ jobs }) => jobs),
    [[99], [98]],
  );
  batches[1]!.finish();
  await settle();
  t.same(batches[2]!.jobs, [97]);
  for (const worker of batches) worker.finish();
  t.same(await Promise.all(results), [9801, 9604, 9409]);
});

void t.test('a failed batch fails only its own jobs', async (t) => {
  const { batcher, batches } = setUp();
  const [a, b, c] = [5, 5, 1].map((job) => batcher.add(job)!);
  batches[0]!.fail();
  await t.rejects(a!, /broken/);
  await t.rejects(b!, /broken/);
  await settle();
  batches[1]!.finish();
  t.equal(await c, 1);
});

void t.test('refuses jobs over its capacity', async (t) => {
  const { batcher, batches } = setUp({ capacity: 2 });
  const results = [10, 1, 1].map((job) => batcher.add(job));
  t.equal(batcher.add(1), undefined);
  batches[0]!.finish();
  await settle();
  const last = batcher.add(1);
  t.ok(last, 'and then taken again');
  batches[1]!.finish();
  await settle();
  batches[2]!.finish();
  t.same(await Promise.all([...results, last]), [100, 1, 1, 1]);
});

void t.test('close finishes running jobs and abandons waiting ones', async (t) => {
  const { batcher, batches } = setUp();
  const results = [10, 2, 3].map((job) => batcher.add(job));
  const closed = batcher.close((job) => -job);
  t.same(await Promise.all(results.slice(1)), [-2, -3]);
  t.equal(batcher.add(1), undefined);
  batches[0]!.finish();
  await closed;
  t.equal(await results[0], 100);
  await settle();
  t.equal(batches.length, 1);
});

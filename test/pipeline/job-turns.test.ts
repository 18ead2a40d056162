/**
 * Jobs enter a queue in turns between users. No user exceeds the user's share of the workers, even if other processes
 * take jobs.
 */
import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createLogger } from '../../src/log/logger.js';
import { JobTurns, turnPause } from '../../src/pipeline/turns/job-turns.js';
import type { Queue, StepJob } from '../../src/pipeline/turns/queue.js';

const ordinary = 100;

/** Creates job turns with a table and a queue in memory. Only the test moves the clock. */
const scene = (t: Test, most: number) => {
  const ending = new AbortController();
  t.teardown(() => ending.abort());
  const table: { readonly uid: string; readonly job: StepJob }[] = [];
  const queue: { readonly uid: string; readonly job: StepJob }[] = [];
  let now = 0;
  let looks = 0;
  const turns = new JobTurns<'step'>({
    ...{
      name: 'step',
      most,
      ordinary,
      log: createLogger('test', 'silent'),
      signal: ending.signal,
      now: () => now,
    },
    take: async ({ limit, without, mostOfUser }) => {
      const taken: typeof table = [];
      for (const row of [...table]) {
        const own = taken.filter(({ uid }) => uid === row.uid).length;
        if (taken.length >= limit || own >= mostOfUser || without.includes(row.uid)) continue;
        taken.push(...table.splice(table.indexOf(row), 1));
      }
      return taken;
    },
    postpone: async () => undefined,
  });
  const known = new Map<StepJob, string>();
  const jobs = {
    waiting: async () => {
      looks++;
      return queue.length;
    },
    send: async (_name: string, sent: readonly StepJob[]) => {
      for (const job of sent) queue.push({ uid: known.get(job)!, job });
      return [];
    },
  } as unknown as Queue;
  void turns.watch(jobs, 3_600_000, () => undefined);
  /** Makes the turns check the table and the queue. */
  const look = async (): Promise<void> => {
    const before = looks;
    while (looks === before) {
      turns.wake();
      await setImmediate();
    }
    for (let turn = 0; turn < 20; turn++) await setImmediate();
  };
  return {
    turns,
    queue,
    look,
    add: (uid: string, count: number) => {
      for (let index = 0; index < count; index++) {
        const job: StepJob = { step: 'structure', key: `${uid} ${known.size}`, run: 1, attempt: 0 };
        known.set(job, uid);
        table.push({ uid, job });
      }
    },
    /** Takes jobs from the queue and starts them in this process. */
    begin: (count: number) => {
      const begun = queue.splice(0, count);
      for (const { job } of begun) turns.begun(job);
      return begun;
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
};

const of = (jobs: readonly { readonly uid: string }[], user: string): number =>
  jobs.filter(({ uid }) => uid === user).length;

t.test("gives a user with running jobs only the rest of the user's share", async (t) => {
  // With sixteen workers, a user may use at most seven.
  const { add, look, begin, queue } = scene(t, 16);
  add('ann', 6);
  add('ben', 6);
  await look();
  const running = begin(12);
  t.equal(running.length, 12);
  add('ann', 20);
  add('ben', 20);
  await look();
  t.equal(of(queue, 'ann'), 1);
  t.equal(of(queue, 'ben'), 1);
  add('eva', 3);
  await look();
  t.equal(of(queue, 'eva'), 3, 'places are left to others');
});

t.test('users with short jobs get no more than their share', async (t) => {
  const { add, look, begin, turns, pass, queue } = scene(t, 4);
  add('ann', 1);
  await look();
  const [long] = begin(1);
  pass(60 * ordinary);
  turns.ended(long!.job);
  add('ben', 5);
  await look();
  t.equal(of(queue, 'ben'), 1);
  add('ann', 5);
  await look();
  t.equal(of(queue, 'ann'), 1, 'the user with long jobs has a place still');
});

t.test('forgets jobs that another process takes, even if the queue is never empty', async (t) => {
  const { add, look, queue, pass } = scene(t, 4);
  add('ann', 2);
  await look();
  t.equal(of(queue, 'ann'), 1);
  queue.splice(0, 1);
  for (const [seconds, count] of [
    [turnPause / 2, 0],
    [turnPause, 1],
  ] as const) {
    queue.splice(0, queue.length, {
      uid: 'other',
      job: { step: 'structure', key: 'other', run: 1, attempt: 0 },
    });
    pass(seconds * 1000);
    await look();
    t.equal(of(queue, 'ann'), count, `after ${seconds} s`);
  }
});

t.test('a running job that is queued again keeps its slot and its time', async (t) => {
  const { add, look, begin, turns, pass, queue } = scene(t, 4);
  add('ann', 1);
  await look();
  const [running] = begin(1);
  pass(60 * ordinary);
  queue.push(running!);
  t.equal(begin(1).length, 1);
  turns.ended(running!.job);
  turns.ended(running!.job);
  add('ann', 1);
  add('ben', 1);
  add('eva', 1);
  add('leo', 1);
  await look();
  t.same(
    queue.map(({ uid }) => uid),
    ['ben', 'eva', 'leo', 'ann'],
    'users with long jobs come last',
  );
});

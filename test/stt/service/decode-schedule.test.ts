/**
 * Tests which job is decoded next and by which process: users take turns, and jobs that ended a process are retried. Also tests the
 * expected wait of a new stream.
 */
import fc from 'fast-check';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import {
  DecodeSchedule,
  type Ending,
  type Rejected,
  type Scheduled,
} from '../../../src/stt/service/decode-schedule.js';
import {
  type TranscriptionPriority,
  transcriptionPriorities,
} from '../../../src/stt/shared/transcription-request.js';

type Kind = 'plain' | 'crash' | 'hang' | 'refuse';

interface Job extends Scheduled {
  readonly number: number;
  readonly kind: Kind;
  /** Model that a process must have loaded to decode the utterance. */
  readonly model: string;
}

/** Maximum number of utterances that a process decodes at the same time. */
const together = 3;
const wide = { total: 1e6, user: 1e6, stream: 1e6 };

/**
 * Starts a schedule with a stopped clock. Each process has loaded only the first model.
 * @param isComplete whether no further process can start.
 */
const start = (processes = 1, bounds = wide, isComplete = false) => {
  const clock = { now: 1000 };
  /** Models that each process has loaded. */
  const loaded = Array.from({ length: processes }, () => new Set(['first']));
  const loading = new Set<number>();
  const schedule = new DecodeSchedule<Job>({
    processes,
    isComplete: () => isComplete,
    accepts: ({ model }, process) => loaded[process]!.has(model),
    isLoading: (process) => loading.has(process),
    bounds,
    now: () => clock.now,
  });
  for (let process = 0; process < processes; process++) schedule.started(process, together);
  /** Ends a process, and starts a new process in its place. */
  const end = (how: Ending, late?: Job, process = 0): readonly Rejected<Job>[] => {
    const rejected = schedule.ended(process, how, late);
    loaded[process] = new Set(['first']);
    schedule.started(process, together);
    return rejected;
  };
  let number = 0;
  const job = (
    user: string,
    kind: Kind = 'plain',
    size = 1000,
    priority: TranscriptionPriority = 'live',
    model = 'first',
  ): Job => ({
    number: ++number,
    model,
    user,
    stream: user,
    size,
    kind,
    priority,
    queuedAt: clock.now,
    startedAt: 0,
    process: -1,
    losses: 0,
  });
  return { clock, schedule, job, end, loaded, loading };
};

t.test('gives a user one slot while other users wait', async (t) => {
  const { schedule, job } = start(3);
  const a = Array.from({ length: 4 }, () => job('a'));
  for (const one of a) schedule.offer(one);
  t.strictSame(
    [schedule.next(), schedule.next(), schedule.next(), schedule.next()],
    [a[0], a[1], a[2], undefined],
  );
  const b = [job('b'), job('b')];
  for (const one of b) schedule.offer(one);
  schedule.decoded(a[0]!, 100);
  t.equal(schedule.next(), b[0], 'although the first user was in turn');
  schedule.decoded(a[1]!, 100);
  t.equal(schedule.next(), a[3], 'both have one place: the turn decides');
});

t.test('accepts the longest piece behind live speech even with small bounds', async (t) => {
  const { schedule, job } = start(1, { total: 1000, user: 1000, stream: 1000 });
  t.equal(schedule.offer(job('a', 'plain', 15_000)).length, 1, 'live: refused, and kept as audio');
  for (const priority of ['voice', 'retained'] as const) {
    const longest = job('a', 'plain', 28_000, priority);
    t.strictSame(schedule.offer(longest), [], `${priority}: taken`);
    const [refused] = schedule.offer(job('a', 'plain', 1000, priority));
    t.equal(refused?.reason, 'queue_full', `${priority}: and no more than that`);
  }
});

t.test('decodes a live utterance without waiting for other classes', async (t) => {
  for (const places of [1, 2, 5]) {
    const { schedule, job } = start(places);
    const later = Array.from({ length: 20 }, () => job('a', 'plain', 30_000, 'retained'));
    for (const one of later) schedule.offer(one);
    const begun = Array.from({ length: 20 }, () => schedule.next()).filter((one) => one !== undefined);
    t.equal(begun.length, Math.max(1, Math.floor(places / 2)), 'half of the processes, or one');
    for (let n = 0; n < 20; n++) schedule.offer(job(`i${n}`, 'plain', 1000, 'interim'));
    const provisional = Array.from({ length: 20 }, () => schedule.next()).filter((one) => one !== undefined);
    t.equal(provisional.length, places - begun.length, 'provisional words take the others');
    t.equal(new Set([...begun, ...provisional].map((one) => one.process)).size, places, 'one each');
    t.equal(schedule.wait(), 0, 'a live utterance would not wait');
    const live = Array.from({ length: places + 1 }, () => job('a'));
    for (const one of live) schedule.offer(one);
    const beside = Array.from({ length: 20 }, () => schedule.next()).filter((one) => one !== undefined);
    t.strictSame(beside, live.slice(0, places), 'as many at once as without the other work');
    t.equal(new Set(beside.map((one) => one.process)).size, places, 'one in each process');
  }
});

t.test('decodes live utterances together when no further process can start', async (t) => {
  const { schedule, job, end } = start(2, wide, true);
  const all = Array.from({ length: 8 }, (_, index) => job(`user-${index}`));
  for (const one of all) schedule.offer(one);
  const begun = Array.from({ length: 8 }, () => schedule.next()).filter((one) => one !== undefined);
  t.strictSame(
    begun.map(({ process }) => process),
    [0, 1, 0, 1, 0, 1],
    'each in the process that has least',
  );
  schedule.decoded(begun[1]!, 100);
  schedule.offer(job('i', 'plain', 1000, 'interim'));
  t.equal(schedule.next()!.process, 1);
  t.equal(schedule.next(), undefined, 'provisional words need a process that has nothing to do');
  t.strictSame(end('itself', undefined, 0), []);
  t.strictSame(begun.filter(({ losses }) => losses > 0).length, 3, 'any of them may be why');
  const alone = schedule.next()!;
  t.equal(alone.process, 0);
  for (let next = schedule.next(); next !== undefined; next = schedule.next()) t.equal(next.process, 1);
});

t.test('prefers the most urgent class and gives each waiting class one slot in sixteen', async (t) => {
  const { schedule, job } = start(1);
  for (let times = 0; times < 200; times++)
    for (const priority of transcriptionPriorities)
      t.strictSame(schedule.offer(job('a', 'plain', 1000, priority)), []);
  const order: string[] = [];
  for (let times = 0; times < 100; times++) {
    const one = schedule.next()!;
    order.push(one.priority);
    schedule.decoded(one, 100);
  }
  t.strictSame(order.slice(0, 16), Array(16).fill('live'));
  t.equal(order[16], 'voice');
  const counts = Object.fromEntries(
    transcriptionPriorities.map((name) => [name, order.filter((other) => other === name).length]),
  );
  t.match(counts, { voice: 5, retained: 5, interim: 5 }, 'none waits for ever');
});

t.test('decodes live speech of a user whose retained audio failed before', async (t) => {
  const { schedule, job, end } = start(1);
  for (let fault = 0; fault < fixedLimits.decoderFaults.value; fault++) {
    schedule.offer(job('p', 'crash', 1000, 'retained'));
    schedule.next();
    end('itself');
  }
  t.match(schedule.offer(job('p', 'plain', 1000, 'retained')), [{ reason: 'decoder_faults' }]);
  const live = job('p');
  t.strictSame(schedule.offer(live), []);
  t.equal(schedule.next(), live);
});

t.test('a retried utterance of another class delays no live utterance, and is blamed first', async (t) => {
  const { schedule, job, end } = start(1);
  const poison = job('p', 'crash', 1000, 'retained');
  const live = job('a');
  schedule.offer(poison);
  schedule.next();
  end('outside');
  t.equal(schedule.next(), poison);
  schedule.offer(live);
  t.equal(schedule.next(), live, 'beside it');
  t.strictSame(end('itself'), []);
  t.strictSame([poison.losses, live.losses], [2, 0]);
  t.equal(schedule.next(), live, 'again at once');
});

/** Returns a live utterance that needs the second model. */
const german = (make: ReturnType<typeof start>['job'], user: string): Job =>
  make(user, 'plain', 1000, 'live', 'second');

t.test('passes over an utterance until a process has loaded its model, and keeps its turn', async (t) => {
  const { schedule, job, loaded } = start(1);
  const waiting = [german(job, 'a'), german(job, 'b')];
  for (const one of waiting) schedule.offer(one);
  t.equal(schedule.next(), undefined);
  t.equal(schedule.wait(), 0, 'it delays no other speech');
  t.equal(schedule.lacksProcess, false, 'another process would not help');
  const others = [job('c'), job('c'), { ...job('a'), stream: 'second of a' }, job('b'), job('d')];
  for (const one of others) schedule.offer(one);
  for (const user of ['a', 'c', 'd']) {
    const one = schedule.next()!;
    t.equal(one.user, user, 'in turn, and another stream of the same user');
    t.equal(one.model, 'first');
    schedule.decoded(one, 100);
  }
  const last = schedule.next()!;
  t.equal(last.user, 'c');
  t.equal(schedule.lacksProcess, false, 'the last one of b waits behind the first one of its stream');
  loaded[0]!.add('second');
  t.equal(schedule.lacksProcess, true);
  t.ok(schedule.wait() > 0);
  schedule.decoded(last, 100);
  t.ok(waiting.includes(schedule.next()!), 'they had their turn before');
});

t.test('assigns an utterance only to a process that has loaded its model', async (t) => {
  const { schedule, job, loaded } = start(3, wide, true);
  loaded[1]!.add('second');
  const all = ['a', 'b', 'c', 'd'].map((user) => german(job, user));
  for (const one of all) schedule.offer(one);
  const begun = Array.from({ length: 5 }, () => schedule.next()).filter((one) => one !== undefined);
  t.strictSame(
    begun.map(({ process }) => process),
    [1, 1, 1],
    'as many as a process decodes together',
  );
  const english = ['e', 'f'].map((user) => job(user));
  for (const one of english) schedule.offer(one);
  t.strictSame(new Set([schedule.next()!.process, schedule.next()!.process]), new Set([0, 2]));
  const later = job('g', 'plain', 1000, 'voice', 'second');
  schedule.offer(later);
  schedule.decoded(english[0]!, 100);
  t.equal(schedule.next(), undefined, 'an idle process without the model is not enough');
});

t.test('prefers a process that is not loading a model', async (t) => {
  const { schedule, job, loading } = start(2, wide, true);
  loading.add(0);
  const all = ['a', 'b', 'c', 'd'].map((user) => job(user));
  for (const one of all) schedule.offer(one);
  t.strictSame(
    all.map(() => schedule.next()?.process),
    [1, 0, 1, 0],
    'among those with equal load',
  );
  for (const one of all) schedule.decoded(one, 100);
  schedule.offer(job('e', 'plain', 1000, 'interim'));
  t.equal(schedule.next()?.process, 1);
});

t.test('an exclusive utterance reserves only processes that have loaded its model', async (t) => {
  const { schedule, job, loaded, end } = start(2, wide, true);
  loaded[1]!.add('second');
  const poison = german(job, 'p');
  schedule.offer(poison);
  schedule.next();
  end('itself', undefined, 1);
  loaded[1]!.add('second');
  schedule.remove((one) => one === poison);
  const busy = german(job, 'a');
  schedule.offer(busy);
  t.equal(schedule.next(), busy);
  for (const one of [poison, german(job, 'b'), job('c'), job('d')]) schedule.offer(one);
  t.strictSame([schedule.next()?.user, schedule.next()?.user], ['c', 'd']);
  t.equal(schedule.next(), undefined, 'nothing joins the process that it waits for');
  schedule.decoded(busy, 100);
  t.equal(schedule.next(), poison);
  t.equal(poison.process, 1);
});

t.test('estimates the wait of a new stream', async (t) => {
  const { clock, schedule, job } = start(2);
  for (let times = 0; times < 50; times++) schedule.decoded(job('a'), 200);
  t.equal(schedule.wait(), 0, 'both places are free');
  schedule.offer(job('a'));
  schedule.next();
  t.equal(schedule.wait(), 0, 'one place is free');
  for (let times = 0; times < 1000; times++) schedule.offer(job('a'));
  schedule.next();
  const flooded = schedule.wait();
  t.ok(flooded > 250 && flooded < 350, `two decodes under way and one turn, by two places: ${flooded}`);
  clock.now += 100;
  t.ok(schedule.wait() < flooded, 'what has been decoded of it counts no more');
  clock.now += 5000;
  t.ok(schedule.wait() > flooded, 'what is overdue is expected to stay so');
  clock.now -= 5000;
  for (let user = 0; user < 100; user++) schedule.offer(job(`user-${user}`));
  t.ok(schedule.wait() > 100 * 90, 'one turn of each waiting user');
});

t.test('retries jobs whose process ended', async (t) => {
  t.test('retries each job of an ended process alone', async (t) => {
    const { schedule, job, end } = start(1);
    const [later, a, b] = [job('r', 'plain', 1000, 'retained'), job('a'), job('b')];
    schedule.offer(later);
    t.equal(schedule.next(), later);
    for (const one of [a, b]) schedule.offer(one);
    t.equal(schedule.next(), a);
    t.strictSame(end('itself'), []);
    t.strictSame([later.losses, a.losses], [1, 1]);
    t.equal(schedule.next(), a);
    t.equal(schedule.next(), undefined, 'alone');
    t.strictSame(end('itself'), []);
    t.equal(schedule.next(), b, 'it was the first one; the others have their turn before it');
    schedule.decoded(b, 1);
    t.equal(schedule.next(), a);
    t.strictSame(end('itself'), [{ job: a, reason: 'decoding_failed' }]);
    t.equal(schedule.next(), later);
    schedule.decoded(later, 1);
    t.equal(schedule.length, 0);
  });

  t.test('an exclusive job waits for an idle process, and nothing starts meanwhile', async (t) => {
    const { schedule, job, end } = start(2);
    const [poison, first, second] = [job('p', 'crash'), job('a', 'plain', 1000, 'interim'), job('b')];
    schedule.offer(poison);
    schedule.next();
    end('itself');
    schedule.offer(first);
    schedule.offer(job('c', 'plain', 1000, 'interim'));
    schedule.remove((one) => one === poison);
    t.equal(schedule.next(), first);
    t.equal(schedule.next()?.user, 'c');
    schedule.offer(poison);
    schedule.offer(second);
    t.equal(schedule.next(), undefined, 'both processes have something');
    schedule.decoded(first, 1);
    t.equal(schedule.next(), poison);
    t.equal(schedule.next(), second, 'beside provisional words, in the other process');
    t.not(second.process, poison.process);
  });

  t.test('other processes continue, and the ended process gets no job', async (t) => {
    const { schedule, job } = start(2);
    const [a, b, c, d] = [job('a'), job('b'), job('c'), job('d')];
    for (const one of [a, b]) schedule.offer(one);
    schedule.next();
    schedule.next();
    t.not(a.process, b.process);
    const lost = a.process;
    t.strictSame(schedule.ended(lost, 'outside'), []);
    t.strictSame([a.losses, b.losses, a.process], [1, 0, -1]);
    for (const one of [c, d]) schedule.offer(one);
    t.equal(schedule.next(), undefined, 'one process runs, and it is busy');
    schedule.decoded(b, 1);
    t.ok([c, d, a].includes(schedule.next()!));
    schedule.started(lost, together);
    const next = schedule.next()!;
    t.equal(next.process, lost);
  });

  t.test('blames all jobs of a process that exceeded its time limit', async (t) => {
    const { schedule, job, end } = start(1);
    const [a, b] = [job('a', 'plain', 1000, 'retained'), job('b')];
    for (const one of [a, b]) {
      schedule.offer(one);
      schedule.next();
    }
    t.strictSame(end('overdue', a), []);
    t.strictSame([a.losses, b.losses], [1, 1]);
    t.equal(schedule.next(), b, 'alone');
    t.strictSame(end('overdue', b), []);
    t.equal(b.losses, 2);
    t.equal(schedule.next(), b);
    t.strictSame(end('overdue', b), [{ job: b, reason: 'decoding_timeout' }], 'as that, after its last try');
  });

  t.test('does not retry a job that was answered just before the time limit', async (t) => {
    const { schedule, job, end } = start(1);
    const [a, b] = [job('a', 'plain', 1000, 'retained'), job('b')];
    for (const one of [a, b]) {
      schedule.offer(one);
      schedule.next();
    }
    schedule.decoded(a, 1);
    t.strictSame(end('overdue', a), []);
    t.equal(schedule.next(), b);
    t.strictSame([schedule.length, b.losses], [1, 0]);
  });

  t.test('excludes a user after repeated crashes, for a limited time', async (t) => {
    const { clock, schedule, job, end } = start(1);
    const most = fixedLimits.decoderFaults.value;
    let rejected: readonly Rejected<Job>[] = [];
    for (let fault = 0; fault < most; fault++) {
      const poison = job('p', 'crash');
      const [victim, waiting] = [job('v'), job('p')];
      schedule.offer(poison);
      t.equal(schedule.next(), poison);
      schedule.offer(victim);
      schedule.offer(waiting);
      poison.losses = 2;
      rejected = end('itself');
      t.equal(schedule.next(), victim);
      schedule.decoded(victim, 1);
      if (fault === most - 1) break;
      t.equal(schedule.next(), waiting);
      schedule.decoded(waiting, 1);
    }
    t.strictSame(
      rejected.map(({ reason }) => reason),
      ['decoding_failed', 'decoder_faults'],
    );
    t.match(schedule.offer(job('p')), [{ reason: 'decoder_faults' }]);
    t.strictSame(schedule.offer(job('v')), []);
    clock.now += 600_001;
    t.strictSame(schedule.offer(job('p')), []);
  });
});

t.test('answers every job once, for any users, failing jobs and processes', async (t) => {
  const kinds = fc.oneof(
    { weight: 8, arbitrary: fc.constant<Kind>('plain') },
    { weight: 1, arbitrary: fc.constantFrom<Kind>('crash', 'hang', 'refuse') },
  );
  const step = fc.oneof(
    fc.record({
      user: fc.constantFrom('a', 'b', 'c'),
      kind: kinds,
      size: fc.integer({ min: 1, max: 50 }),
      priority: fc.constantFrom(...transcriptionPriorities),
      model: fc.constantFrom('first', 'first', 'second'),
    }),
    fc.record({ loadedBy: fc.nat({ max: 2 }) }),
    fc.nat({ max: 5 }),
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 120 }),
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      fc.boolean(),
      (steps, places, narrow, isComplete) => {
        const bounds = narrow ? { total: 150, user: 120, stream: 100 } : wide;
        const { schedule, job, end, loaded } = start(places, bounds, isComplete);
        const mostLive = isComplete ? together : 1;
        const answered = new Map<Job, string>();
        const inFlight: Job[] = [];
        const demand = (holds: boolean, what: string): void => {
          if (!holds) throw new Error(what);
        };
        const answer = (one: Job, how: string): void => {
          demand(!answered.has(one), 'answered once');
          answered.set(one, how);
        };
        const reject = (list: readonly Rejected<Job>[]): void => {
          for (const { job: one, reason } of list) {
            answer(one, reason);
            if (reason === 'decoding_failed' && one.priority === 'live')
              demand(one.kind !== 'plain', 'poison does not use up the tries of others');
          }
        };
        const dispatch = (): void => {
          for (let next = schedule.next(); next !== undefined; next = schedule.next()) {
            const beside = inFlight.filter(({ process }) => process === next.process);
            const both = [...beside, next];
            demand(next.process >= 0 && next.process < places, 'in a process that there is');
            demand(loaded[next.process]!.has(next.model), 'the process has loaded its model');
            demand(
              both.filter(({ priority }) => priority === 'live').length <= mostLive,
              'live ones in each',
            );
            demand(next.priority === 'live' || beside.length === 0, 'others begin alone');
            demand(both.length <= Math.max(2, mostLive), 'no more than a process takes');
            demand(next.losses === 0 || beside.length === 0, 'what was lost once is alone');
            inFlight.push(next);
          }
        };
        /** Ends one of the decoding jobs with a result, a crash or a hang. */
        const land = (choice: number): void => {
          const one = inFlight[choice % Math.max(1, inFlight.length)];
          if (one === undefined) return;
          const { process } = one;
          if (one.kind === 'crash') reject(end('itself', undefined, process));
          else if (one.kind === 'hang') reject(end('overdue', one, process));
          else {
            inFlight.splice(inFlight.indexOf(one), 1);
            if (one.kind === 'refuse') reject(schedule.failed(one));
            else {
              schedule.decoded(one, 1);
              answer(one, 'decoded');
            }
            return;
          }
          const others = inFlight.filter((other) => other.process !== -1);
          inFlight.splice(0, inFlight.length, ...others);
        };
        const all: Job[] = [];
        for (const made of steps) {
          if (typeof made === 'number') land(made);
          else if ('loadedBy' in made) loaded[made.loadedBy % places]!.add('second');
          else {
            const one = job(made.user, made.kind, made.size, made.priority, made.model);
            all.push(one);
            reject(schedule.offer(one));
          }
          dispatch();
          demand(Number.isFinite(schedule.wait()) && schedule.wait() >= 0, 'a wait is a time');
        }
        for (let rounds = 0; schedule.length > 0; rounds++) {
          land(0);
          for (const models of loaded) models.add('second');
          dispatch();
          const rests = rounds >= 10_000 || (schedule.length > 0 && inFlight.length === 0);
          demand(!rests, 'while something waits and all models are loaded, something is decoded');
        }
        demand(
          all.every((one) => answered.has(one)),
          'everything is answered',
        );
      },
    ),
    { numRuns: 300 },
  );
  t.pass('every utterance is answered exactly once');
});

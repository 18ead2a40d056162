/** A user who floods the decoders does not prevent the words of other users, and no class of speech waits for ever. */
import t from 'tap';
import { DecodeSchedule, type Scheduled } from '../../../src/stt/service/decode-schedule.js';
import type { TranscriptionPriority } from '../../../src/stt/shared/transcription-request.js';

const wide = { total: 1e6, user: 1e6, stream: 1e6 };

/** Starts a schedule whose processes each decode four live utterances together. */
const start = (processes: number) => {
  const schedule = new DecodeSchedule({ processes, isComplete: () => true, bounds: wide, now: () => 0 });
  for (let process = 0; process < processes; process++) schedule.started(process, 4);
  const add = (user: string, priority: TranscriptionPriority, size = 6000): Scheduled => {
    const job = {
      user,
      stream: user,
      priority,
      size,
      queuedAt: 0,
      startedAt: 0,
      process: -1,
      losses: 0,
    };
    schedule.offer(job);
    return job;
  };
  const running: Scheduled[] = [];
  const begun = new Set<Scheduled>();
  /** Begins all utterances that may begin, and then ends the one that began first. */
  const turn = (): void => {
    for (let job = schedule.next(); job !== undefined; job = schedule.next()) {
      running.push(job);
      begun.add(job);
    }
    const first = running.shift();
    if (first !== undefined) schedule.decoded(first, 500);
  };
  /**
   * Returns the number of turns until `job` begins, or `most`. Each turn ends one utterance, after `fill` has added
   * others.
   */
  const turnsUntil = (job: Scheduled, most: number, fill: () => void): number => {
    for (let turns = 0; turns < most; turns++) {
      fill();
      turn();
      if (begun.has(job)) return turns;
    }
    return most;
  };
  return { add, turn, turnsUntil };
};

for (const processes of [1, 2]) {
  t.test(`a flood leaves interim words to other users, with ${processes} processes`, async (t) => {
    const { add, turn, turnsUntil } = start(processes);
    for (let times = 0; times < 50; times++) add('flood', 'live');
    for (let times = 0; times < 10; times++) turn();
    const fill = (): void => void add('flood', 'live');
    t.ok(turnsUntil(add('other', 'interim', 8000), 100, fill) < 4 * processes + 4, 'within two rounds');
  });

  t.test(`live words of many users precede interim words, with ${processes} processes`, async (t) => {
    const { add, turn, turnsUntil } = start(processes);
    let users = 0;
    const fill = (): void => void add(`user-${users++}`, 'live');
    for (let times = 0; times < 50; times++) fill();
    for (let times = 0; times < 10; times++) turn();
    t.equal(turnsUntil(add('other', 'interim', 8000), 100, fill), 100);
  });

  t.test(
    `live words that join each other let a voice message begin, with ${processes} processes`,
    async (t) => {
      const { add, turn, turnsUntil } = start(processes);
      let users = 0;
      const fill = (): void => void add(`user-${users++}`, 'live');
      for (let times = 0; times < 50; times++) fill();
      for (let times = 0; times < 10; times++) turn();
      const begun = turnsUntil(add('voice', 'voice', 6000), 100, fill);
      t.ok(begun >= 16, 'it is less urgent');
      t.ok(begun < 30, 'its turn comes');
    },
  );
}

t.test('a few utterances of one user are no flood', async (t) => {
  const { add, turnsUntil } = start(1);
  add('one', 'live');
  add('one', 'live');
  const interim = add('other', 'interim', 3000);
  let left = 20;
  const fill = (): void => void (left-- > 0 && add('one', 'live'));
  t.equal(turnsUntil(interim, 20, fill), 20);
});

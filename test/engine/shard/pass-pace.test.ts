import t from 'tap';
import { gatherWait, PassPace, type PassWaits } from '../../../src/engine/shard/pass-pace.js';

/** A pace on a stopped clock. Each wait takes as long as the test says, and is recorded. */
class Loop {
  now = 1000;
  readonly waits: string[] = [];
  /** Ms from the beginning of a wait for a record until a record arrives; 0: a record has already arrived. */
  nextRecord = 0;
  readonly #pace: PassPace;

  constructor() {
    const waits: PassWaits = {
      record: async (timeout) => {
        const waited = Math.min(timeout, this.nextRecord);
        this.#note('record', waited);
        return waited > 0;
      },
      pulse: async () => this.#note('pulse', gatherWait),
      rest: () => undefined,
      turn: async () => this.#note('turn', 0),
    };
    const sleep = async (duration: number) => this.#note('sleep', duration);
    this.#pace = new PassPace(waits, { monotonic: () => this.now, sleep });
  }

  /** Ends a pass that took no time. @returns the waits before the next pass. */
  async pass({ records = 1, unread = false, longest = 500, took = 0 } = {}): Promise<string[]> {
    const began = this.now;
    this.now += took;
    await this.#pace.next({ began, records, unread, longest });
    return this.waits.splice(0);
  }

  #note(kind: string, duration: number): void {
    this.now += duration;
    this.waits.push(kind);
  }
}

t.test('a record that comes after a pause starts a pass at once', async (t) => {
  const loop = new Loop();
  loop.nextRecord = 20;
  for (let pass = 0; pass < 10; pass++) t.same(await loop.pass(), ['record']);
  t.equal(loop.now, 1200, 'no other wait took time');
});

t.test('a record soon after a pass waits until passes are apart', async (t) => {
  const loop = new Loop();
  loop.nextRecord = 3;
  const began = loop.now;
  t.same(await loop.pass(), ['record', 'sleep']);
  t.equal(loop.now - began, gatherWait);
});

t.test('a timer starts the passes while records are frequent, and only then', async (t) => {
  const loop = new Loop();
  loop.nextRecord = 2;
  for (let pass = 0; pass < 3; pass++) t.same(await loop.pass(), ['record', 'sleep']);
  for (let pass = 0; pass < 10; pass++) t.same(await loop.pass(), ['pulse']);
  loop.nextRecord = 20;
  t.same(await loop.pass({ records: 0 }), ['record'], 'the timer ends with a pass that found nothing');
  t.same(await loop.pass(), ['record']);
});

t.test('every wait gives way to timers and ports of the thread', async (t) => {
  const loop = new Loop();
  t.same(await loop.pass({ took: 20 }), ['record', 'turn'], 'a record was there already');
  t.same(await loop.pass({ unread: true }), ['turn'], 'audio is left');
  loop.nextRecord = 2;
  for (let pass = 0; pass < 3; pass++) await loop.pass();
  t.same(await loop.pass({ took: 20 }), ['turn'], 'the pass took longer than its interval');
});

t.test('an idle shard begins a pass after the longest wait', async (t) => {
  const loop = new Loop();
  loop.nextRecord = 60_000;
  const began = loop.now;
  t.same(await loop.pass({ records: 0, longest: 50 }), ['record']);
  t.equal(loop.now - began, 50);
});

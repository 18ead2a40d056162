/** Tests which wall-clock times a stream's audio gets after pauses, stalls of the network, and backlogs. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { reanchorAfter, StreamClock } from '../../../src/engine/session/stream-clock.js';
import { Harness } from '../support/harness.js';

const frameMs = 20;
const samplesOfMs = 16;
/** Maximum error of a time in ms: 500 ms that the clock tolerates for bursts, plus one frame. */
const mostWrong = 500 + frameMs;

t.test('a backlog after a stall fills the pause, and no more', async (t) => {
  const second = 1000 * samplesOfMs;
  const rows = [
    { name: 'no backlog', backlog: 0, starts: 40_000 },
    { name: 'a backlog of a third of the pause', backlog: 10, starts: 30_000 },
    { name: 'a backlog of the whole pause', backlog: 30, starts: 10_000 },
    { name: 'a file that is faster than real time', backlog: 100, starts: 10_000 },
  ];
  for (const { name, backlog, starts } of rows) {
    const clock = new StreamClock();
    clock.anchor(0, 0);
    clock.arrived(10 * second, 10_000);
    clock.tell(5 * second, 0);
    clock.anchor(10 * second, 40_000);
    clock.arrived((10 + backlog) * second, 40_000);
    t.equal(clock.wallOf(10 * second, 0), starts, name);
    t.equal(clock.wallOf(5 * second, 0), 5000, `${name}: earlier audio keeps its times`);
  }
});

t.test('told times stay, and later ones are not before them', async (t) => {
  const second = 1000 * samplesOfMs;
  const clock = new StreamClock(() => ({ end: Number.NEGATIVE_INFINITY, expected: undefined }));
  clock.anchor(0, 100_000);
  t.equal(clock.tell(2 * second, 0), 102_000);
  clock.arrived(60 * second, 110_000);
  t.equal(clock.wallOf(2 * second, 0), 102_000);
  t.equal(clock.wallOf(60 * second, 0), 110_000, 'the newest sample is at its arrival');
  t.equal(clock.wallOf(30 * second, 0), 102_000, 'what was said before the told words is not before them');
  t.equal(clock.wallOf(55 * second, 0), 105_000);
});

t.test('words of a continued recording are not before the stored words', async (t) => {
  const second = 1000 * samplesOfMs;
  const clock = new StreamClock(() => ({ end: 75_000, expected: undefined }));
  clock.anchor(0, 100_000);
  clock.arrived(40 * second, 100_000);
  t.equal(clock.wallOf(5 * second, 0), 75_000, 'stored words had late times');
  t.equal(clock.wallOf(15 * second, 0), 75_000);
  t.equal(clock.wallOf(20 * second, 0), 80_000, 'later words have their times');
});

t.test('a continued recording has its times from its first sample on', async (t) => {
  const second = 1000 * samplesOfMs;
  const continued = { end: 38_000, expected: 40_000 };
  const rows = [
    { name: 'a backlog at four times real time', arrivals: [[4, 101]], told: 2, wall: 42_000, later: 78_000 },
    {
      name: 'no backlog, because the device paused',
      arrivals: [[3, 103]],
      told: 2,
      wall: 102_000,
      later: 138_000,
    },
    {
      name: 'a pause in the backlog',
      arrivals: [
        [4, 101],
        [32, 110],
        [34, 112],
      ],
      told: 2,
      wall: 42_000,
      later: 116_000,
    },
  ];
  for (const { name, arrivals, told, wall, later } of rows) {
    const clock = new StreamClock(() => continued);
    clock.anchor(0, 100_000);
    for (const [place, [audio, at]] of arrivals.entries()) {
      clock.arrived(audio! * second, at! * 1000);
      if (place === 0) t.equal(clock.tell(told * second, 0), wall, name);
    }
    t.equal(clock.wallOf(38 * second, 0), later, `${name}: later audio`);
    t.equal(clock.wallOf(told * second, 0), wall, `${name}: what was told stays`);
  }
  const early = new StreamClock(() => ({ end: 45_000, expected: 40_000 }));
  early.anchor(0, 100_000);
  t.equal(early.wallOf(0, 0), 45_000, 'no word is before the stored words');
  const late = new StreamClock(() => ({ end: 45_000, expected: 140_000 }));
  late.anchor(0, 100_000);
  t.equal(late.wallOf(0, 0), 100_000, 'or in the future');
});

t.test('a file that is faster than real time keeps its distances', async (t) => {
  const second = 1000 * samplesOfMs;
  const clock = new StreamClock();
  clock.anchor(0, 0);
  clock.arrived(10 * second, 2000);
  t.equal(clock.wallOf(5 * second, 0), 5000, 'words that are shown before they are final');
  clock.arrived(40 * second, 8000);
  t.equal(clock.tell(5 * second, 0), 5000, 'have the same time when they are final');
  clock.arrived(100 * second, 20_000);
  t.equal(clock.wallOf(100 * second, 0), 100_000);
});

/**
 * A part of a device's day. `live`: audio in real time. `stall`: a time whose audio arrives all at once afterwards.
 * `mute`: a time without audio.
 */
type Part = readonly [kind: 'live' | 'stall' | 'mute', ms: number];

t.test('whatever a device does, words are in order, never in the future, and near their time', async (t) => {
  const part = fc.tuple(
    fc.constantFrom('live' as const, 'stall' as const, 'mute' as const),
    fc.integer({ min: 1, max: 90 }).map((seconds) => seconds * 1000),
  );
  // Leaves out mutes shorter than `reanchorAfter`, because the clock cannot notice them.
  const parts = fc
    .array(part, { minLength: 1, maxLength: 12 })
    .map((all) => all.filter(([kind, ms]) => kind !== 'mute' || ms >= reanchorAfter));
  const check = (parts: readonly Part[], delays: readonly number[]): void => {
    const clock = new StreamClock();
    let now = 1_000_000;
    let position = 0;
    let last = Number.NEGATIVE_INFINITY;
    /** Sent frames with their true times. The test has not compared these times with the clock yet (`tell`). */
    const spoken: { position: number; at: number; due: number }[] = [];
    let told = Number.NEGATIVE_INFINITY;
    let number = 0;
    const send = (at: number): void => {
      if (now - last >= reanchorAfter) clock.anchor(position, now);
      last = now;
      spoken.push({ position, at, due: now + 600 + delays[number++ % delays.length]! });
      position += frameMs * samplesOfMs;
      clock.arrived(position, now);
      // Asks for the time of a word every five seconds of audio.
      while (spoken.length > 0 && spoken[0]!.due <= now) {
        const word = spoken.shift()!;
        if (word.position % (5000 * samplesOfMs) !== 0) continue;
        const wall = clock.tell(word.position, now);
        if (wall > now) throw new Error(`${wall - now} ms in the future`);
        if (wall < told) throw new Error(`${told - wall} ms before the word before it`);
        if (Math.abs(wall - word.at) > mostWrong) throw new Error(`${wall - word.at} ms from its time`);
        told = wall;
      }
    };
    send(now);
    for (const [kind, ms] of parts) {
      const began = now;
      if (kind !== 'live') now += ms;
      for (let at = began; kind !== 'mute' && at < began + ms; at += frameMs) {
        if (kind === 'live') now = at + frameMs;
        send(at);
      }
    }
  };
  fc.assert(
    fc.property(parts, fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 1, maxLength: 5 }), check),
    { numRuns: 60 },
  );
  t.pass('60 random devices');
});

/** A device that records all the time, or pauses on purpose. It says a numbered word every three seconds. */
class Device {
  /** True time of each word, in order. */
  readonly spoken: number[] = [];
  readonly #frames: number[] = [];
  #slot = 0;

  constructor(private readonly h: Harness) {}

  #record(ms: number, began: number): number[] {
    const first = this.#frames.length;
    for (let at = 0; at < ms; at += frameMs) {
      const place = this.#frames.length % 150;
      if (place === 25) this.spoken.push(began + at);
      this.#frames.push(place >= 25 && place < 50 ? this.spoken.length : 0);
    }
    return this.#frames.slice(first);
  }

  async live(ms: number): Promise<void> {
    for (let sent = 0; sent < ms; sent += 500) {
      this.h.stream(this.#slot, this.#record(500, this.h.clock.now));
      await this.h.tick(0);
    }
  }

  async stall(ms: number): Promise<void> {
    const pending = this.#record(ms, this.h.clock.now);
    this.h.clock.now += ms;
    await this.h.tick(0);
    this.h.frames(this.#slot, pending);
    await this.h.tick(0);
  }

  async mute(ms: number): Promise<void> {
    this.h.clock.now += ms;
    await this.h.tick(0);
  }

  /**
   * Loses the connection, continues to record, and opens a new stream.
   * @returns the frames that the engine wants on the new stream.
   */
  async #reconnected(ms: number, wishes: object): Promise<number[]> {
    this.h.close(this.#slot);
    await this.h.tick(0);
    this.#record(ms, this.h.clock.now);
    this.h.clock.now += ms;
    await this.h.open(++this.#slot, wishes);
    const session = this.h.events(this.#slot, 'conversation_session')[0];
    return this.#frames.slice(Number(session?.resume_at_ms) / frameMs);
  }

  /**
   * Loses the connection, continues to record, and opens a new stream. On the new stream, sends the frames that are not
   * stored yet.
   */
  async reconnect(ms: number, wishes: object): Promise<void> {
    const unsent = await this.#reconnected(ms, wishes);
    this.h.frames(this.#slot, unsent);
    await this.h.tick(0);
  }

  /** Does the same as `reconnect`, but sends at four times real time until nothing is left. */
  async reconnectPaced(ms: number, wishes: object): Promise<void> {
    const unsent = await this.#reconnected(ms, wishes);
    for (const perTick = (4 * 500) / frameMs; unsent.length > 0; ) {
      unsent.push(...this.#record(500, this.h.clock.now));
      this.h.clock.now += 500;
      this.h.frames(this.#slot, unsent.splice(0, perTick));
      await this.h.tick(0);
    }
  }

  /** Loses the connection, and records nothing until a new stream is open. */
  async reconnectMuted(ms: number, wishes: object): Promise<void> {
    this.h.clock.now += ms;
    const unsent = await this.#reconnected(0, wishes);
    this.h.frames(this.#slot, unsent);
    await this.h.tick(0);
  }

  /**
   * Does the same as `reconnect` on a slow network. Sends for `slow` ms no faster than real time, so the backlog stays
   * unsent.
   */
  async reconnectSlowly(ms: number, slow: number, wishes: object): Promise<void> {
    const unsent = await this.#reconnected(ms, wishes);
    const perTick = 500 / frameMs;
    for (let tick = 0; tick < slow / 500; tick++) {
      unsent.push(...this.#record(500, this.h.clock.now));
      this.h.stream(this.#slot, unsent.splice(0, perTick));
      await this.h.tick(0);
    }
  }
}

/** Checks all stored words of a conversation: each once, in spoken order, at its time, and none in the future. */
const checkWords = (t: Test, h: Harness, { spoken }: Device, name: string): void => {
  const { startedAt } = h.journal.conversations.get(h.conversationId(0))!;
  const segments = h.storedSegments(0).sort((a, b) => a.start - b.start);
  const words = segments.map(({ text }) =>
    [...text.matchAll(/Voice (\d+)/g)].map(([, word]) => Number(word)),
  );
  t.same(
    words.flat(),
    spoken.slice(0, words.flat().length).map((_, index) => index + 1),
    `${name}: in spoken order`,
  );
  t.ok(words.flat().length >= spoken.length - 1, `${name}: all words`);
  const errors = segments.map(
    ({ start }, index) => startedAt! + start * 1000 - spoken[words[index]![0]! - 1]!,
  );
  t.ok(
    Math.max(...errors.map(Math.abs)) <= mostWrong,
    `${name}: wrong by ${Math.max(...errors.map(Math.abs))} ms`,
  );
  for (const { end } of segments) t.ok(startedAt! + end * 1000 <= h.clock.now, `${name}: not in the future`);
};

const positions = { streamClock: 'clock', confirms: true, clockAt: 0 };

t.test(
  'after stalls, words have their times and their order, and the conversation keeps its start',
  async (t) => {
    for (const wishes of [{}, positions]) {
      const name = 'confirms' in wishes ? 'with positions' : 'without positions';
      const h = new Harness();
      await h.open(0, { conversationTimeout: 600, ...wishes });
      const device = new Device(h);
      const started = () => h.journal.conversations.get(h.conversationId(0))!.startedAt;
      await device.live(12_000);
      const first = started();
      await device.stall(30_000);
      await device.live(9000);
      await device.stall(12_000);
      await device.live(9000);
      await device.mute(20_000);
      await device.live(9000);
      await device.stall(15_000);
      await device.live(12_000);
      t.equal(started(), first, `${name}: the start stays`);
      checkWords(t, h, device, name);
    }
  },
);

t.test('after a lost connection, the words of the backlog have their times', async (t) => {
  const h = new Harness();
  const wishes = { conversationTimeout: 600, ...positions };
  await h.open(0, wishes);
  const device = new Device(h);
  await device.live(12_000);
  await device.reconnect(30_000, wishes);
  await device.live(12_000);
  checkWords(t, h, device, 'on the next connection');
});

t.test('a backlog at four times real time has the times at which its words were spoken', async (t) => {
  const h = new Harness();
  const wishes = { conversationTimeout: 600, ...positions };
  await h.open(0, wishes);
  const device = new Device(h);
  await device.live(12_000);
  await device.reconnectPaced(60_000, wishes);
  await device.live(9000);
  await device.reconnectPaced(5000, wishes);
  await device.live(12_000);
  checkWords(t, h, device, 'after two lost connections');
});

t.test('after a pause of the recording over a lost connection, words have their times', async (t) => {
  const h = new Harness();
  const wishes = { conversationTimeout: 600, ...positions };
  await h.open(0, wishes);
  const device = new Device(h);
  await device.live(12_000);
  await device.reconnectMuted(25_000, wishes);
  await device.live(12_000);
  await device.reconnectPaced(10_000, wishes);
  await device.live(12_000);
  checkWords(t, h, device, 'after the pause');
});

t.test('words whose times are late stay before the words of the next connection', async (t) => {
  const h = new Harness();
  const wishes = { conversationTimeout: 600, ...positions };
  await h.open(0, wishes);
  const device = new Device(h);
  await device.live(12_000);
  await device.reconnectSlowly(20_000, 12_000, wishes);
  await device.reconnect(2000, wishes);
  await device.live(12_000);
  const segments = h.storedSegments(0).sort((a, b) => a.start - b.start);
  const words = segments.flatMap(({ text }) =>
    [...text.matchAll(/Voice (\d+)/g)].map(([, word]) => Number(word)),
  );
  t.same(
    words,
    device.spoken.slice(0, words.length).map((_, index) => index + 1),
  );
  t.ok(words.length >= device.spoken.length - 1, 'all words');
  for (const { start, end } of segments) t.ok(start <= end);
});

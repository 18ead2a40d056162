/**
 * Tests how the texts of all streams share the time of a shard's pass. The pass reads one text of a stream, then one of
 * the next stream.
 */
import t from 'tap';
import { type TextReader, type TextTime, TextTurns } from '../../../src/engine/session/text-turns.js';

/** Time settings for a thread without other work. */
const idle: TextTime = { slice: 0.5, share: 1 };

/**
 * Creates text turns with a clock of their own. The clock moves by `milliseconds` when a text is read. `pass` moves it,
 * too.
 */
const rig = (milliseconds: number) => {
  let now = 0;
  const log: string[] = [];
  const turns = new TextTurns(() => now);
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  const reader = (name: string, texts: number, allowed = texts): TextReader & { allowed: number } => {
    const stream = {
      textsWaiting: texts,
      allowed,
      get unreadBytes(): number {
        return 100 * stream.textsWaiting;
      },
      shedTexts: (): void => {
        stream.textsWaiting = 0;
      },
      readText: (): boolean => {
        if (stream.allowed === 0) return false;
        stream.allowed--;
        stream.textsWaiting--;
        now += milliseconds;
        log.push(name);
        return true;
      },
    };
    turns.add(stream);
    return stream;
  };
  return { log, turns, reader, pass, now: () => now };
};

t.test('a stream with many texts does not delay one with few', async (t) => {
  const { log, turns, reader } = rig(0);
  reader('a', 3);
  reader('b', 1);
  reader('c', 2);
  t.equal(turns.run(idle), false);
  t.same(log, ['a', 'b', 'c', 'a', 'c', 'a']);
  t.equal(turns.waiting, false);
});

t.test('ends a pass after its time limit, and the next pass continues with the next stream', async (t) => {
  const { log, turns, reader } = rig(0.25);
  for (const name of ['a', 'b', 'c']) reader(name, 2);
  t.equal(turns.run(idle), true);
  t.same(log, ['a', 'b']);
  t.equal(turns.run(idle), true);
  t.same(log, ['a', 'b', 'c', 'a']);
  turns.run(idle);
  t.same(log, ['a', 'b', 'c', 'a', 'b', 'c']);
  t.equal(turns.waiting, false);
});

t.test('reads a text that takes longer than a pass', async (t) => {
  const { log, turns, reader } = rig(100);
  reader('a', 2);
  t.equal(turns.run(idle), true);
  t.same(log, ['a']);
  turns.run(idle);
  t.same(log, ['a', 'a']);
});

t.test('streams without allowance keep their position', async (t) => {
  const { log, turns, reader } = rig(0);
  const throttled = reader('a', 2, 0);
  reader('b', 2);
  t.equal(turns.run(idle), false);
  t.same(log, ['b', 'b']);
  t.equal(turns.waiting, true);
  throttled.allowed = 1;
  turns.run(idle);
  t.same(log, ['b', 'b', 'a']);
  t.equal(turns.run(idle), false);
});

t.test('a stream without texts does not end the pass', async (t) => {
  const { log, turns, reader } = rig(0);
  reader('a', 0, 0);
  reader('b', 1);
  turns.run(idle);
  t.same(log, ['b']);
  t.equal(turns.waiting, false);
});

t.test("texts use no more than their share of the thread's time", async (t) => {
  const time = { slice: 0.5, share: 0.05 };
  for (const milliseconds of [0.01, 0.3, 5, 80]) {
    const { log, turns, reader, pass, now } = rig(milliseconds);
    for (let stream = 0; stream < 100; stream++) reader(String(stream), 10_000);
    while (now() < 20_000) {
      turns.run(time);
      pass(8);
    }
    const share = (log.length * milliseconds) / now();
    t.ok(share > 0.04 && share <= 0.051 + milliseconds / now(), `${milliseconds} ms: ${share}`);
  }
});

t.test('saves no unused time for later', async (t) => {
  const { log, turns, reader, pass } = rig(0.1);
  turns.run({ slice: 0.5, share: 0.05 });
  pass(60_000);
  reader('a', 100);
  turns.run({ slice: 0.5, share: 0.05 });
  t.ok(log.length <= 6, `${log.length} texts`);
});

t.test('counts the time for streams that may not read', async (t) => {
  let now = 0;
  let looks = 0;
  const turns = new TextTurns(() => now);
  for (let stream = 0; stream < 1000; stream++) {
    turns.add({
      textsWaiting: 1,
      unreadBytes: 1,
      shedTexts: () => undefined,
      readText: () => {
        looks++;
        now += 0.1;
        return false;
      },
    });
  }
  t.equal(turns.run(idle), true);
  t.ok(looks <= 6, `${looks} streams`);
});

t.test('finds the stream with the most unread texts', async (t) => {
  const { turns, reader } = rig(0);
  t.equal(turns.fullest, undefined);
  reader('a', 2);
  const most = reader('b', 3);
  reader('c', 1);
  t.equal(turns.fullest, most);
});

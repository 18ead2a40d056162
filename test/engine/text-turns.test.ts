/** Texts of all streams of a shard share the time of a pass, one text each in turn. */
import t from 'tap';
import { type TextReader, TextTurns } from '../../src/engine/text-turns.js';

/** A stream whose texts take so long to read, on a clock that only reading moves. */
const rig = (milliseconds: number) => {
  let now = 0;
  const log: string[] = [];
  const turns = new TextTurns(() => now);
  const reader = (name: string, texts: number, allowed = texts): TextReader & { allowed: number } => {
    const stream = {
      textsWaiting: texts,
      allowed,
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
  return { log, turns, reader };
};

t.test('a stream with many texts does not delay one with few', async (t) => {
  const { log, turns, reader } = rig(0);
  reader('a', 3);
  reader('b', 1);
  reader('c', 2);
  t.equal(turns.run(0.5), false);
  t.same(log, ['a', 'b', 'c', 'a', 'c', 'a']);
  t.equal(turns.waiting, false);
});

t.test('a pass ends when its time is used up, and the next goes on with the next stream', async (t) => {
  const { log, turns, reader } = rig(0.25);
  for (const name of ['a', 'b', 'c']) reader(name, 2);
  t.equal(turns.run(0.5), true);
  t.same(log, ['a', 'b']);
  t.equal(turns.run(0.5), true);
  t.same(log, ['a', 'b', 'c', 'a']);
  turns.run(0.5);
  t.same(log, ['a', 'b', 'c', 'a', 'b', 'c']);
  t.equal(turns.waiting, false);
});

t.test('a text that takes longer than a pass has is read all the same', async (t) => {
  const { log, turns, reader } = rig(100);
  reader('a', 2);
  t.equal(turns.run(0.5), true);
  t.same(log, ['a']);
  turns.run(0.5);
  t.same(log, ['a', 'a']);
});

t.test('streams that may not read by now keep their place', async (t) => {
  const { log, turns, reader } = rig(0);
  const throttled = reader('a', 2, 0);
  reader('b', 2);
  t.equal(turns.run(0.5), false);
  t.same(log, ['b', 'b']);
  t.equal(turns.waiting, true);
  throttled.allowed = 1;
  turns.run(0.5);
  t.same(log, ['b', 'b', 'a']);
  t.equal(turns.run(0.5), false);
});

t.test('a stream that has nothing to read does not end the pass of the others', async (t) => {
  const { log, turns, reader } = rig(0);
  reader('a', 0, 0);
  reader('b', 1);
  turns.run(0.5);
  t.same(log, ['b']);
  t.equal(turns.waiting, false);
});

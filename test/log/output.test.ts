/** Tests the cost of a slow reader of log lines, and of repeated lines. */
import t from 'tap';
import { LogOutput } from '../../src/log/output.js';
import { Repeats } from '../../src/log/repeats.js';
import { until } from '../support/until.js';

/** A pipe that accepts the given number of bytes, then returns EAGAIN. */
const pipe = () => {
  const state = { free: 0, text: '', calls: 0 };
  const write = (_descriptor: number, bytes: Buffer): number => {
    state.calls++;
    if (state.free === 0) throw Object.assign(new Error('busy'), { code: 'EAGAIN' });
    const taken = bytes.subarray(0, state.free);
    state.free -= taken.length;
    state.text += taken.toString();
    return taken.length;
  };
  return { state, write };
};

t.test('lines wait for a slow reader up to the bound, in order and whole', async (t) => {
  const { state, write } = pipe();
  const losses: number[] = [];
  let drops = 0;
  const output = new LogOutput({
    descriptor: 2,
    capacity: 10,
    write,
    onDrop: () => drops++,
    onRecovered: (dropped) => losses.push(dropped),
  });
  state.free = 5;
  output.write('one\n');
  t.equal(state.text, 'one\n', 'a line is out at once');
  for (const line of ['two\n', 'three\n', 'four\n', 'five\n']) output.write(line);
  t.equal(output.heldBytes, 3 + 6, 'what fits is held');
  t.equal(drops, 2);
  const { calls } = state;
  for (let line = 0; line < 100; line++) output.write('more\n');
  t.equal(state.calls, calls, 'a reader known to be slow is not asked again for every line');
  output.lastLevel = 60;
  output.write('fatal\n');
  t.equal(drops, 102, 'why the process ends always fits');
  state.free = 1000;
  await until(() => losses.length > 0, 'it goes on');
  t.equal(state.text, 'one\ntwo\nthree\nfatal\n');
  t.same(losses, [102], 'and the loss is told once');
});

t.test('the end of the process waits for the reader, but not for ever', async (t) => {
  const { state, write } = pipe();
  const output = new LogOutput({ descriptor: 2, capacity: 100, write });
  output.write('last\n');
  output.flushAtExit();
  t.equal(output.heldBytes, 5, 'a reader that has stopped is given up');
  state.free = 100;
  output.flushAtExit();
  t.equal(state.text, 'last\n');
});

t.test('a reader that is gone ends nothing', async (t) => {
  const output = new LogOutput({
    descriptor: 2,
    capacity: 100,
    write: () => {
      throw Object.assign(new Error('gone'), { code: 'EPIPE' });
    },
  });
  output.write('one\n');
  output.write('two\n');
  t.equal(output.heldBytes, 0);
});

t.test('of lines that repeat some pass, and the rest are counted', async (t) => {
  let now = 1000;
  const said: [number, string, number][] = [];
  const repeats = new Repeats({
    limit: 2,
    window: 100,
    now: () => now,
    summarise: (...summary) => said.push(summary),
  });
  const passed = (level: number, message: string, times: number): number =>
    Array.from({ length: times }, () => repeats.admit(level, message)).filter(Boolean).length;
  t.equal(passed(40, 'spill is full', 10), 2);
  t.equal(passed(50, 'spill is full', 1), 1, 'another level is another line');
  t.equal(passed(40, 'other', 2), 2);
  t.same(said, []);
  now += 100;
  t.equal(passed(40, 'spill is full', 1), 1, 'the next window begins anew');
  t.same(said, [[40, 'spill is full', 8]]);
  let admitted = 0;
  for (let kind = 0; kind < 10_000; kind++) admitted += Number(repeats.admit(30, `kind ${kind}`));
  t.ok(admitted < 300, 'kinds are bounded: what makes every line different does not pass, either');
  repeats.endWindow();
});

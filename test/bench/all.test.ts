import t from 'tap';
import type { SuiteOutcome } from '../../bench/report/index.js';
import { fiveMinutes, type Part, runParts, summaryTable } from '../../bench/suites/all.js';

const empty: SuiteOutcome = { results: [], selfNoise: [], skipped: [], versions: {} };
const watch = { tell: () => undefined, live: false };

t.test('a suite that fails is reported, and later suites still run', async (t) => {
  const found: SuiteOutcome[] = [];
  const parts: Part[] = [
    { name: 'first', run: async () => empty },
    { name: 'broken', run: () => Promise.reject(new Error('no disk')) },
    { name: 'last', run: async () => empty },
  ];
  const signal = new AbortController().signal;
  await runParts(parts, { ...watch, signal }, (outcome) => found.push(outcome));
  t.same(
    found.map(({ skipped }) => skipped),
    [[], [{ suite: 'broken', what: 'the whole suite', why: 'no disk' }], []],
  );
});

t.test('an interruption is not a failure of a suite, and later suites do not run', async (t) => {
  const controller = new AbortController();
  const ran: string[] = [];
  const part = (name: string): Part => ({
    name,
    run: async () => {
      ran.push(name);
      controller.abort(new Error('Interrupted.'));
      throw new Error('the server ended');
    },
  });
  const run = runParts([part('a'), part('b')], { ...watch, signal: controller.signal }, () => undefined);
  await t.rejects(run, { message: 'Interrupted.' });
  t.same(ran, ['a']);
});

t.test(
  'the table has a line for the first cost of each row, and for costs that add information',
  async (t) => {
    const text = summaryTable([
      { suite: 'vad', contender: 'cochlea', isa: 'avx2', batch: 16, us_per_window: 8.31, spread: 0.2 },
      {
        suite: 'cost',
        contender: 'cochlea',
        codec: 'opus',
        material: 'speech',
        stt: 'discard',
        asked: '200',
        streams: 200,
        cpu_ms_per_stream_s: 2.114,
        cpu_ms_per_stream_s_spread: 0.03,
        rss_kb_per_stream: 80.5,
        p50_frame_to_vad_ms: 5,
        p99_frame_to_vad_ms: 12.34,
      },
    ]);
    t.same(
      text.split('\n').map((line) => line.split(/ {2,}/).filter((word) => word !== '')),
      [
        ['suite', 'contender', 'of', 'measured', 'value', 'unit', 'spread'],
        ['vad', 'cochlea', 'avx2, batch 16', 'CPU a window', '8.31', 'us', '0.2'],
        ['cost', 'cochlea', 'opus, speech, streams 200', 'CPU a stream-second', '2.11', 'ms', '0.03'],
        ['Memory a stream', '80.5', 'KB'],
        ['Frame to VAD, p99', '12.3', 'ms'],
      ],
    );
  },
);

t.test('the five-minute run includes every kind of suite', async (t) => {
  const names = fiveMinutes.map(({ name }) => name.split(' ')[0]);
  for (const name of ['micro', 'cost', 'start', 'journal', 'requests']) t.ok(names.includes(name), name);
});

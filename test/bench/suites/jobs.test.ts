import t from 'tap';
import { openView } from '../../../bench/fleet/live-view.js';
import { startEngine } from '../../../bench/fleet/targets/engine-target.js';
import { rowSchema } from '../../../bench/report/envelope.js';
import { judgeJobs, runJobs } from '../../../bench/suites/rest/jobs.js';
import { testDatabase } from '../../support/database/database.js';
import { slice } from './slice.js';

t.test('a run is judged by unprocessed conversations and by the ratio of both p99 values', async (t) => {
  const all = { completed: 9, waiting: 0, dead: 0 };
  const cases: readonly [name: string, failures: readonly RegExp[], judged: ReturnType<typeof judgeJobs>][] =
    [
      ['the same', [], judgeJobs([slice(10)], [slice(10)], 9, all)],
      ['just 1.5', [], judgeJobs([slice(10)], [slice(14.9)], 9, all)],
      ['more', [/1\.60 times, at most 1\.5/], judgeJobs([slice(10)], [slice(16)], 9, all)],
      ['drops', [/2 frames/], judgeJobs([slice(10)], [slice(10, { dropped: 2 })], 9, all)],
      ['one left', [/8 of 9/], judgeJobs([slice(10)], [slice(10)], 9, { ...all, completed: 8 })],
      ['a step given up', [/1 were given up/], judgeJobs([slice(10)], [slice(10)], 9, { ...all, dead: 1 })],
    ];
  for (const [name, expected, { failures }] of cases) {
    t.equal(failures.length, expected.length, `${name}: ${failures.join('; ')}`);
    for (const [index, pattern] of expected.entries()) t.match(failures[index], pattern);
  }
});

t.test('a run reports both loads, and all conversations are processed', async (t) => {
  const { url } = await testDatabase(t);
  const lines: string[] = [];
  const outcome = await runJobs({
    target: () => startEngine({ env: { DATABASE_URL: url, SENTENCE_MODEL: 'none' } }),
    databaseUrl: url,
    conversations: 24,
    asked: { streams: 4 },
    codec: 'opus',
    material: 'speech',
    rampPerS: 100,
    seed: 1,
    settle: 1,
    seconds: 3,
    slice: 1,
    capacity: { slo: 100, hold: 1, shortHold: 1, from: 1, most: 1 },
    view: openView({ write: (text: string) => lines.push(text) > 0 }, false),
    signal: new AbortController().signal,
  });
  for (const row of outcome.results) t.doesNotThrow(() => rowSchema.parse(row));
  const [alone, beside] = outcome.results;
  t.match(alone, { suite: 'jobs', mode: 'undisturbed', streams: 4 });
  t.match(beside, { mode: 'while conversations finish', conversations: 24, against: 'undisturbed' });
  t.same(
    // This test ignores failures that a busy machine causes: late percentiles and dropped requests.
    outcome.failures.filter((failure) => !/^p99|dropped/.test(failure)),
    [],
    'nothing is left over',
  );
  t.match(lines.join(''), /all were done/);
});

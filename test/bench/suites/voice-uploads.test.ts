import t from 'tap';
import { openView } from '../../../bench/fleet/live-view.js';
import { rowSchema } from '../../../bench/report/envelope.js';
import { judgeUploads, runVoiceUploads } from '../../../bench/suites/speech/voice-uploads.js';
import { slice } from './slice.js';

const live = (p99: number, delay: number) => ({ slices: [slice(p99)], delays: [delay, delay] });
const counts = (ended: Record<string, number>, waves = 1) => ({ waves, ended });
const well = counts({ 200: 8, 429: 1, 503: 41 });

t.test(
  'live streams are compared with live streams without uploads, and uploads are judged by their outcome',
  async (t) => {
    const cases = [
      ['the same', judgeUploads(live(10, 20), live(10, 20), well), []],
      ['just as late as they may be', judgeUploads(live(10, 20), live(14.9, 30), well), []],
      ['frames late', judgeUploads(live(10, 20), live(16, 20), well), [/frame to decision: .* 1\.60 times/]],
      [
        'texts late',
        judgeUploads(live(10, 20), live(10, 31), well),
        [/final text to segment: .* 1\.55 times/],
      ],
      [
        'no text',
        judgeUploads(live(10, 20), { ...live(10, 20), delays: [] }, well),
        [/nothing was measured/],
      ],
      [
        'drops',
        judgeUploads(live(10, 20), { slices: [slice(10, { dropped: 3 })], delays: [20] }, well),
        [/beside uploads: 3 frames dropped/],
      ],
      [
        'uploads that end otherwise',
        judgeUploads(live(10, 20), live(10, 20), counts({ 200: 1, 502: 2, broken: 3, unsaid: 4 })),
        [/2 uploads ended with 502/, /3 uploads ended with broken/, /4 uploads ended with unsaid/],
      ],
      [
        'no uploads',
        judgeUploads(live(10, 20), live(10, 20), counts({}, 0)),
        [/no wave/, /no upload was transcribed/],
      ],
    ] as const;
    for (const [name, { failures }, expected] of cases) {
      t.equal(failures.length, expected.length, `${name}: ${failures.join('; ')}`);
      for (const [index, pattern] of expected.entries()) t.match(failures[index], pattern);
    }
  },
);

t.test(
  'a run reports the delays of frames and texts, with and without uploads',
  { timeout: 180_000 },
  async (t) => {
    const { results, counts } = await runVoiceUploads({
      asked: { streams: 4 },
      uploads: 6,
      codec: 'opus',
      material: 'speech',
      rampPerS: 100,
      seed: 1,
      settle: 1,
      seconds: 6,
      slice: 3,
      capacity: { slo: 100, hold: 1, shortHold: 1, from: 1, most: 1 },
      view: openView({ write: () => true }, false),
      signal: new AbortController().signal,
    });
    t.equal(results.length, 4);
    for (const row of results) t.doesNotThrow(() => rowSchema.parse(row));
    t.ok(results[1]!.frames_decoded! > 0 && results[1]!.ratio! > 0);
    t.ok(results[3]!.p99_ms! > 0 && results[3]!.ratio! > 0);
    t.ok(counts.waves > 0 && counts.ended[200]! > 0, 'uploads were transcribed');
    t.notOk(counts.ended.unsaid, 'a refusal says when to come again');
  },
);

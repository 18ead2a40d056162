import t from 'tap';
import { beyond, cpuPerStreamSecond, joinSlices, loadFields } from '../../../bench/fleet/load-row.js';
import { rungLine } from '../../../bench/fleet/measure.js';
import type { Slice } from '../../../bench/fleet/session.js';
import { failuresOf, parseThreshold } from '../../../bench/fleet/thresholds.js';
import type { Row } from '../../../bench/report/index.js';
import { twinNoise, withRatios } from '../../../bench/suites/cost.js';
import { withWearerDay } from '../../../bench/suites/day.js';
import { slopeOf } from '../../../bench/suites/slope.js';
import { judgeSoak } from '../../../bench/suites/soak.js';

const sent = {
  framesSent: 5000,
  bytesSent: 300_000,
  audioMs: 100_000,
  framesBlocked: 0,
  connects: 0,
  reconnects: 0,
  segmentsReceived: 0,
  errors: {},
  lateness: [[200, 4990] as const, [900, 10] as const],
  segmentLag: [],
  connectTime: [],
  cpuMs: 250,
};

/** A slice of twenty streams for five seconds. All audio is processed. */
const slice = (changes: Partial<Slice> = {}): Slice => ({
  seconds: 5,
  wanted: 20,
  open: 20,
  sent,
  told: true,
  framesDecoded: 5000,
  framesInvalid: 0,
  vadWindows: 3125,
  dropped: 0,
  frameToVad: { bounds: [5, 10, 20, 200], counts: [1000, 2000, 120, 5] },
  cpuMs: 200,
  othersCpuMs: 50,
  memory: { rssKb: 103_000, pssKb: 80_000 },
  speechBufferBytes: 1024 * 1000,
  ...changes,
});

t.test('CPU time is divided by the processed audio, not by the sent audio', async (t) => {
  t.equal(cpuPerStreamSecond(slice()), 2);
  t.equal(cpuPerStreamSecond(slice({ vadWindows: 1562.5 })), 4, 'half of it went through the detector');
  t.equal(cpuPerStreamSecond(slice({ vadWindows: 0 })), undefined);
  t.equal(cpuPerStreamSecond(slice({ cpuMs: undefined })), undefined);
});

t.test('a row summarises its slices', async (t) => {
  const row = loadFields([slice(), slice({ cpuMs: 220 }), slice({ cpuMs: 240, dropped: 3 })], 101_000);
  t.match(row, {
    cpu_ms_per_stream_s: 2.2,
    cpu_ms_per_stream_s_spread: 0.2,
    others_cpu_ms_per_stream_s: 0.5,
    rss_kb: 103_000,
    // (103,000 - 101,000 - 1,000) / 20
    rss_kb_per_stream: 50,
    rss_with_speech_kb_per_stream: 100,
    dropped: 3,
    errors: 0,
    frames_sent: 15_000,
    frames_decoded: 15_000,
    frames_per_s: 1000,
    streams_held: 20,
    seconds: 15,
    generator_cores: 0.05,
    p99_lateness_ms: 0.2,
    max_lateness_ms: 0.9,
    max_frame_to_vad_ms: 200,
  });
  t.equal(row.p99_frame_to_vad_ms! > 10 && row.p99_frame_to_vad_ms! <= 20, true);
  t.notOk('generator_bound' in row);
  t.notOk('errors_by_kind' in row);
  t.notOk('p99_segment_lag_ms' in row, 'nothing was transcribed');
  t.notOk('rss_kb_per_stream' in loadFields([slice()], undefined), 'not without a baseline');
  t.notOk('cpu_ms_per_stream_s' in loadFields([slice({ cpuMs: undefined })], 1));
  const mute = loadFields([slice({ told: false, dropped: 0, framesDecoded: 0 })], undefined);
  for (const name of ['dropped', 'frames_decoded', 'frames_per_s'])
    t.notOk(name in mute, `${name} is not known`);
});

t.test('a row is marked if its generator was late or had no time left', async (t) => {
  const late = slice({
    sent: {
      ...sent,
      lateness: [
        [200, 90],
        [6000, 10],
      ],
    },
  });
  t.equal(loadFields([late], undefined).generator_bound, true);
  t.equal(loadFields([slice({ sent: { ...sent, cpuMs: 4900 } })], undefined).generator_bound, true);
});

t.test('joined slices add their counts, and keep the smallest number of open streams', async (t) => {
  const errors: Record<string, number>[] = [{ reset: 1 }, { reset: 1, http_503: 2 }];
  const whole = joinSlices([
    slice({ open: 19, sent: { ...sent, errors: errors[0]! } }),
    slice({ sent: { ...sent, errors: errors[1]! }, othersCpuMs: undefined }),
  ]);
  t.match(whole, { open: 19, seconds: 10, vadWindows: 6250, cpuMs: 400, othersCpuMs: undefined });
  t.same(whole.sent.errors, { reset: 2, http_503: 2 });
});

t.test('a service level names the value that exceeded it', async (t) => {
  const level = { frameToVadMs: 100, disturbed: false };
  const rowdy = { ...level, disturbed: true };
  const cases: [string, Partial<Slice>, RegExp | undefined, RegExp | undefined][] = [
    ['all well', {}, undefined, undefined],
    ['late', { frameToVad: { bounds: [100, 200], counts: [0, 9] } }, /^p99 199 ms/, /^p99 199 ms/],
    ['a stream was lost', { open: 19 }, /^19 of 20 streams held/, undefined],
    ['dropped', { dropped: 2 }, /^2 frames dropped/, /^2 frames dropped/],
    ['errors', { sent: { ...sent, errors: { reset: 2 } } }, /^errors: 2 reset/, undefined],
    ['behind', { vadWindows: 3000 }, /^96\.0 % of the audio decoded/, undefined],
    ['within the skew of two readings', { vadWindows: 3060 }, undefined, undefined],
    ['far behind', { vadWindows: 2000 }, /^64\.0 %/, /^64\.0 %/],
    ['mute', { frameToVad: { bounds: [], counts: [] } }, /^no window was decided/, /^no window/],
  ];
  for (const [name, changes, strict, loose] of cases) {
    for (const [wanted, given] of [
      [strict, level],
      [loose, rowdy],
    ] as const) {
      const found = beyond(slice(changes), given);
      if (wanted) t.match(found, wanted, name);
      else t.equal(found, undefined, name);
    }
  }
});

t.test('a try of the capacity search is printed as one line', async (t) => {
  const line = rungLine({ streams: 150, seconds: 7, ok: false, why: '2 frames dropped' }, slice());
  t.match(line, /^ +150 streams, 7 s, p99 1\d\.\d ms: 2 frames dropped$/);
});

t.test('thresholds are parsed, and decide when a run fails', async (t) => {
  for (const text of ['p99_frame_to_vad_ms', 'p99_frame_to_vad_ms=5', 'speed>5', 'codec>5', 'dropped>x']) {
    t.throws(() => parseThreshold(text), RangeError, text);
  }
  t.same(parseThreshold(' dropped >= 1.5 '), { field: 'dropped', operator: '>=', limit: 1.5 });
  const row: Row = {
    suite: 'fleet',
    contender: 'cochlea',
    streams: 100,
    dropped: 2,
    p99_frame_to_vad_ms: 50,
  };
  const cases: [string, number][] = [
    ['dropped>1', 1],
    ['dropped>2', 0],
    ['dropped>=2', 1],
    ['p99_frame_to_vad_ms<50', 0],
    ['p99_frame_to_vad_ms<=50', 1],
    ['cpu_ms_per_stream_s>1000', 1],
  ];
  for (const [text, failures] of cases)
    t.equal(failuresOf([parseThreshold(text)], [row]).length, failures, text);
  t.match(failuresOf([parseThreshold('dropped>1')], [row]), ['dropped is 2 (> 1): cochlea, 100 streams']);
  t.match(failuresOf([parseThreshold('errors>0')], [row]), [/was not measured/]);
});

/** Simulates memory that grows by the given amount per minute and oscillates with garbage collection. */
const breathing = (perMinute: number, minutes: number): [number, number][] =>
  Array.from({ length: minutes * 12 }, (_, i) => [
    (i + 1) * 5,
    100_000 + ((i + 1) / 12) * perMinute + 2000 * Math.sin(i * 1.7) + 700 * Math.sin(i * 0.31),
  ]);

t.test('the slope of memory is found despite garbage collection, within its confidence limits', async (t) => {
  for (const perMinute of [0, 100, -50, 1000]) {
    const slope = slopeOf(breathing(perMinute, 60))!;
    t.ok(slope.low <= perMinute && perMinute <= slope.high, `${perMinute} in [${slope.low}, ${slope.high}]`);
    t.ok(Math.abs(slope.perMinute - perMinute) < 20, `${slope.perMinute}`);
  }
  t.equal(
    slopeOf([
      [1, 1],
      [2, 2],
    ]),
    undefined,
  );
});

const soaked = (perMinute: number, changes: Partial<Slice> = {}): Slice[] =>
  breathing(perMinute, 30).map(([, rssKb]) =>
    slice({ memory: { rssKb, pssKb: rssKb }, speechBufferBytes: 0, ...changes }),
  );

t.test('a soak fails if memory certainly grows, or if frames are dropped without a reason', async (t) => {
  const level = { frameToVadMs: 100, disturbed: false };
  t.same(judgeSoak(soaked(0), level).failures, []);
  t.same(judgeSoak(soaked(10), level).failures, [], 'less than 1 % an hour');
  t.match(judgeSoak(soaked(200), level).failures, [/^memory grows by (19|20)\d KB a minute/]);
  const settling = soaked(0).map((given, i, { length }) =>
    slice({
      memory: { rssKb: given.memory!.rssKb - Math.max(0, 0.2 - i / length) * 1e6, pssKb: 0 },
      speechBufferBytes: 0,
    }),
  );
  t.same(judgeSoak(settling, level).failures, [], 'memory may grow at first');
  const dropping = judgeSoak(soaked(0, { dropped: 1 }), level);
  t.match(dropping.failures, [/^360 frames dropped that no overload explains/]);
  t.equal(dropping.fields.unexplained_drops, 360);
  const overloaded = soaked(0, { dropped: 1, frameToVad: { bounds: [100, 200], counts: [0, 9] } });
  t.same(judgeSoak(overloaded, level).failures, [], 'an overload explains them');
});

t.test('two measurements of the same server show the noise, slice by slice', async (t) => {
  const slices = [slice(), slice(), slice()];
  const twins = [slice({ cpuMs: 202 }), slice({ cpuMs: 204 }), slice({ cpuMs: 206 })];
  const row: Row = { suite: 'cost', contender: 'cochlea', p99_frame_to_vad_ms: 10, rss_kb_per_stream: 50 };
  const noise = twinNoise(
    '50 streams',
    { row, slices },
    { row: { ...row, p99_frame_to_vad_ms: 11 }, slices: twins },
  );
  t.match(noise, [
    {
      suite: 'cost',
      contender: 'cochlea',
      of: '50 streams: cpu_ms_per_stream_s',
      cost: 'cpu_ms_per_stream_s',
      ratio: 1.02,
    },
    { cost: 'p99_frame_to_vad_ms', ratio: 1.1, spread: 0 },
    { cost: 'rss_kb_per_stream', ratio: 1, spread: 0 },
  ]);
  t.ok(Math.abs(noise[0]!.spread - 0.01) < 1e-9);
});

t.test('contenders are compared with the first one at the same load', async (t) => {
  const row = (contender: string, asked: string, cpu: number | undefined): Row => ({
    suite: 'cost',
    contender,
    asked,
    codec: 'opus',
    material: 'speech',
    ...(cpu === undefined ? {} : { cpu_ms_per_stream_s: cpu }),
  });
  const first = [row('cochlea', '50', 2), row('cochlea', '500', 1)];
  const others = [
    row('cochlea-deepgram', '50', 2.5),
    row('cochlea-deepgram', '500', 1.5),
    row('cochlea-deepgram', '70%', 3),
    row('cochlea-deepgram', '500', undefined),
  ];
  const rows = withRatios([...first, ...others], 'cochlea');
  t.same(
    rows.map(({ against, ratio }) => [against, ratio]),
    [
      [undefined, undefined],
      [undefined, undefined],
      ['cochlea', 1.25],
      ['cochlea', 1.5],
      [undefined, undefined],
      [undefined, undefined],
    ],
  );
  t.same(failuresOf([parseThreshold('ratio>1.4')], rows), [
    'ratio is 1.5 (> 1.4): cochlea-deepgram, opus, speech',
  ]);
});

t.test('the cost of a stream-second is also shown for a day', async (t) => {
  const measured: Row = { suite: 'day', contender: 'cochlea', cpu_ms_per_stream_s: 0.5 };
  t.equal(withWearerDay(measured).cpu_s_per_wearer_day, 43.2);
  const capacity: Row = { suite: 'day', contender: 'cochlea', mode: 'capacity', capacity_streams: 500 };
  t.same(withWearerDay(capacity), capacity, 'a row without this cost stays as it is');
});

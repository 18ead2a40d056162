import { Writable } from 'node:stream';
import t from 'tap';
import { histogramLine, openView } from '../../../bench/fleet/live-view.js';
import type { Slice, Tick } from '../../../bench/fleet/session.js';

/** Returns a stream that stores its output. @param isTTY whether it pretends to be a terminal. */
const kept = (isTTY: boolean): Writable & { text: string; isTTY: boolean; columns: number; rows: number } => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      kept.text += chunk.toString();
      done();
    },
  });
  const kept = Object.assign(stream, { text: '', isTTY, columns: 120, rows: 40 });
  return kept;
};

const tick: Tick = {
  wanted: 200,
  open: 190,
  framesPerS: 9512.4,
  cpuCores: 0.512,
  errors: { refused_503: 3 },
};
const slice: Slice = {
  seconds: 5,
  wanted: 200,
  open: 190,
  sent: {
    framesSent: 0,
    bytesSent: 0,
    audioMs: 0,
    framesBlocked: 0,
    connects: 0,
    reconnects: 0,
    segmentsReceived: 0,
    errors: {},
    lateness: [],
    segmentLag: [],
    connectTime: [],
    cpuMs: 0,
  },
  told: true,
  framesDecoded: 0,
  framesInvalid: 0,
  vadWindows: 31_250,
  dropped: 0,
  frameToVad: { bounds: [5, 10, 20], counts: [10, 80, 10] },
  cpuMs: 2500,
  speechBufferBytes: 0,
};

const run = (isTTY: boolean, live: boolean): string => {
  const out = kept(isTTY);
  let now = 0;
  const view = openView(out as unknown as NodeJS.WriteStream, live, () => now);
  view.phase('cochlea: 200 streams', 10);
  for (let second = 0; second < 12; second++) {
    now += 1000;
    view.tick(tick);
  }
  view.slice(slice);
  view.line('   200 streams, 7 s: held');
  view.end();
  return out.text;
};

const clearing = '\u001B[';

t.test('a terminal shows a few lines that are rewritten', async (t) => {
  const text = run(true, true);
  t.match(text, clearing);
  t.match(text, /190 of 200 streams, 9,512 frames\/s, 0\.51 cores, errors: 3 refused_503/);
  t.match(text, /2\.50 ms a stream-second, p99 19\.0 ms, 0 dropped/);
  t.match(text, /frame to VAD 0 ms ▁?.+ 20 ms/);
  t.match(text, /\[#{12}\.{12}\] cochlea: 200 streams, 5 of 10 s/);
  t.match(text, /200 streams, 7 s: held\n/, 'what is to stay is a line of its own');
});

t.test('without a terminal or with --no-live, the output is plain lines', async (t) => {
  for (const [isTTY, live] of [
    [false, true],
    [true, false],
    [false, false],
  ] as const) {
    const text = run(isTTY, live);
    t.notMatch(text, clearing);
    t.same(text.trimEnd().split('\n'), [
      'cochlea: 200 streams, 10 s',
      '  190 of 200 streams, 9,512 frames/s, 0.51 cores, errors: 3 refused_503',
      '  190 of 200 streams, 9,512 frames/s, 0.51 cores, errors: 3 refused_503',
      '  190 of 200 streams, 9,512 frames/s, 0.51 cores, errors: 3 refused_503, 2.50 ms a stream-second, p99 19.0 ms, 0 dropped',
      '   200 streams, 7 s: held',
    ]);
  }
});

t.test('a phase shows the measured seconds apart from the settling seconds', async (t) => {
  const lines = (isTTY: boolean): string => {
    const out = kept(isTTY);
    let now = 0;
    const view = openView(out as unknown as NodeJS.WriteStream, true, () => now);
    view.phase('cochlea: 200 streams', 5, 3);
    for (now = 1000; now <= 8000; now += 1000) view.tick(tick);
    view.end();
    return out.text;
  };
  t.match(lines(false), /^cochlea: 200 streams, 5 s after 3 s to settle\n/);
  const terminal = lines(true);
  t.match(terminal, /\[#{6}\.{18}\] cochlea: 200 streams, settling, 2 of 3 s/);
  t.match(terminal, /\[#{12}\.{12}\] cochlea: 200 streams, 1 of 5 s/);
  t.match(terminal, /\[#{24}\] cochlea: 200 streams, 5 of 5 s/);
});

t.test(
  'a histogram is drawn in one line of at most 32 columns, from its first to its last bucket',
  async (t) => {
    t.equal(histogramLine({ bounds: [1, 2, 4, 8, 16], counts: [0, 1, 8, 1, 0] }), '1 ms ▁█▁ 8 ms');
    t.equal(histogramLine({ bounds: [1, 2], counts: [0, 0] }), '');
    const bounds = Array.from({ length: 110 }, (_, k) => 0.5 * 1.1 ** k);
    const line = histogramLine({ bounds, counts: bounds.map(() => 3) });
    t.ok(line.split(' ')[2]!.length <= 32, line);
    t.match(histogramLine({ bounds: [1, Number.POSITIVE_INFINITY], counts: [0, 1] }), /more$/);
  },
);

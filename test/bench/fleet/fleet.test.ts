/** Tests one complete run: `cochlea bench fleet` starts the product, loads it and reports. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseReport } from '../../../bench/report/index.js';
import { bench, startedWith } from '../../support/bench-command.js';
import { openFolder } from '../../support/folder.js';

t.test('a fleet of five streams runs for three seconds and writes a report', async (t) => {
  const folder = openFolder(t);
  const file = join(folder, 'fleet.json');
  const short = ['--streams', '5', '--seconds', '3', '--settle', '1', '--slice', '1.5'];
  const { code, out, error } = await bench(
    [
      'fleet',
      ...short,
      ...['--codec', 'opus', '--material', 'speech', '--json', file],
      ...['--fail-if', 'frames_decoded<300', '--fail-if', 'cpu_ms_per_stream_s>0'],
    ],
    { TMPDIR: folder },
  );
  t.equal(code, 1, 'a condition was met');
  t.match(error, /FAILED: cpu_ms_per_stream_s is [\d.]+ \(> 0\): cochlea, opus, speech, 5 streams\n/);
  t.notMatch(error, /FAILED: frames_decoded/);
  t.match(error, /5 of 5 streams/, 'plain lines where there is no terminal');
  t.match(out, /stt=discard/);
  const report = parseReport(JSON.parse(readFileSync(file, 'utf8')));
  t.equal(report.results.length, 1);
  const row = report.results[0]!;
  t.match(row, {
    suite: 'fleet',
    contender: 'cochlea',
    codec: 'opus',
    material: 'speech',
    stt: 'discard',
    streams: 5,
    streams_held: 5,
    dropped: 0,
    errors: 0,
  });
  t.ok(row.frames_sent! > 500 && row.frames_sent! < 1500, `${row.frames_sent} frames of 20 ms sent`);
  t.ok(row.cpu_ms_per_stream_s! > 0.5, 'libopus alone takes more');
  for (const name of [
    'p50_frame_to_vad_ms',
    'p99_frame_to_vad_ms',
    'rss_kb',
    'others_cpu_ms_per_stream_s',
  ] as const) {
    t.ok(row[name]! > 0, name);
  }
  t.match(report.machine.versions['packets speech'], /^sha256 [0-9a-f]{64}$/);
  t.ok(report.series!.some(({ name, points }) => name === 'p99_frame_to_vad_ms' && points.length === 2));
  t.same(startedWith(folder), [], 'nothing is left running');
  t.same(readdirSync(folder), ['fleet.json'], 'and nothing on the disk');
});

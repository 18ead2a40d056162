import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { runMicro } from '../../../bench/micro/index.js';
import { buildReferenceCodec, ReferenceDecoder } from '../../../bench/micro/reference-codec.js';
import { loadPackets, packetPath } from '../../../bench/packets/packets.js';
import { type Report, reportSchema } from '../../../bench/report/envelope.js';
import { native } from '../../audio/support.js';

const withoutAddon = 'missing' in native ? `the native core is not built: ${native.missing}` : false;

t.test('a report has the documented form', { skip: withoutAddon }, async (t) => {
  const json = join(t.testdir(), 'report.json');
  const lines: string[] = [];
  const only = ['vad', 'cosine', 'resample'];
  await runMicro({ only, json, rounds: 3, warmUp: 1, print: (line) => lines.push(line) });
  const report: Report = reportSchema.parse(JSON.parse(readFileSync(json, 'utf8')));
  t.same([...new Set(report.results.map(({ suite }) => suite))], ['resample', 'vad', 'cosine']);
  t.ok(report.machine.cpu !== '' && report.machine.node === process.version);
  t.match(report.commit, /^([0-9a-f]{40}\+?)?$/);

  const vad = report.results.filter(({ suite }) => suite === 'vad');
  const { addon } = native as Extract<typeof native, { addon: unknown }>;
  for (const isa of new Set([addon.isa, ...vad.flatMap(({ isa = [] }) => isa)])) {
    const own = vad.filter((row) => row.contender === 'cochlea' && row.isa === isa);
    t.same(
      own.map(({ batch, rate }) => [batch, rate]),
      [...[1, 4, 8, 16, 32, 64].map((batch) => [batch, undefined]), [1, 8000], [16, 8000]],
      isa,
    );
  }
  t.same(
    vad.filter(({ contender }) => contender === 'onnxruntime').map(({ batch, rate }) => [batch, rate]),
    [
      [1, undefined],
      [16, undefined],
      [1, 8000],
      [16, 8000],
    ],
  );
  t.ok(vad.some(({ contender }) => contender === 'webrtc'));
  t.ok(vad.every(({ us_per_window: cost }) => cost !== undefined && cost > 0));
  // The measured factor is at least five. Half of it still shows that the kernel is in use.
  for (const row of vad.filter(({ contender }) => contender === 'onnxruntime'))
    t.ok(row.ratio! > 2.5, `onnxruntime takes ${row.ratio!.toFixed(1)} times as long at batch ${row.batch}`);

  t.ok(report.results.every((row) => row.suite === 'vad' || (row.ns_per_frame ?? row.us_per_call)! > 0));
  t.ok(report.self_noise.some(({ suite }) => suite === 'vad'));
  t.ok(
    lines.some((line) => line.includes('us_per_window')),
    'a table was printed',
  );
  t.ok(
    lines.some((line) => line.includes('self-noise')),
    'and the noise',
  );
});

t.test('a frame through the ring costs less than a task of the pool', { skip: withoutAddon }, async (t) => {
  const { results } = await runMicro({ only: ['ring'], rounds: 2, warmUp: 1, print: () => undefined });
  const modes = results.filter(({ contender }) => contender === 'cochlea').map(({ mode }) => mode);
  t.same(modes, ['waking', 'bursts of 1000', 'bursts of 10', 'bursts of 1']);
  t.ok(results.every((row) => row.ns_per_frame! > 0 && row.frames_per_s! > 0));
  const pool = results.find(({ contender }) => contender === 'piscina run()');
  t.ok(pool!.ratio! > 3, `${pool!.ratio!.toFixed(1)} times`);
});

t.test('the C program decodes the requested number of frames, and ends', async (t) => {
  let program: string;
  try {
    program = await buildReferenceCodec();
  } catch (error) {
    t.pass('the C program', { skip: (error as Error).message });
    return;
  }
  await loadPackets('speech');
  const decoder = new ReferenceDecoder(program, 'opus', 16_000, 1, 4, 7, packetPath('speech'));
  t.match(decoder.version, /^libopus \d/);
  const [few, many] = [await decoder.decode(0, 5), await decoder.decode(5, 100)];
  t.ok(many > 3 * few && few > 0, `${few} ns, then ${many} ns for twenty times as many packets`);
  await decoder.close();
  await t.rejects(promisify(execFile)(program, ['decode', 'opus', '16000', '1', '1', '1', program]), {
    code: 1,
    stderr: /ends inside a packet|no packets|cannot be read/,
  });
});

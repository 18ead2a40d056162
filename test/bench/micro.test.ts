/** Tests the parts of `bench micro` that count, not those that measure time. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { coreOptions } from '../../bench/micro/core-options.js';
import { chosenSuites } from '../../bench/micro/index.js';
import { suiteNames } from '../../bench/micro/report.js';
import { Traffic } from '../../bench/micro/turn.js';
import { loadPackets } from '../../bench/packets/packets.js';
import { createNativeCore } from '../../src/audio/native.js';
import { native } from '../audio/support.js';

const withoutAddon = 'missing' in native ? `the native core is not built: ${native.missing}` : false;

t.test('names choose suites, and suites run in the order of the list', async (t) => {
  const cases: readonly [only: string[], expected: readonly string[]][] = [
    [[], suiteNames],
    [['vad'], ['vad']],
    [
      ['turn', 'codec'],
      ['codec', 'turn'],
    ],
    [['ring', 'ring'], ['ring']],
  ];
  for (const [only, expected] of cases) t.same(chosenSuites(only), expected, only.join(' ') || 'all');
  t.throws(() => chosenSuites(['vad', 'nonsense']), { message: /no suite "nonsense".*codec/ });
});

t.test('the command refuses an unknown suite in one line', async (t) => {
  const entry = fileURLToPath(new URL('../../bench/index.js', import.meta.url));
  const run = promisify(execFile)(process.execPath, [entry, 'micro', '--only', 'nonsense']);
  await t.rejects(run, { code: 1, stdout: '', stderr: /^There is no suite "nonsense"[^\n]+\n$/ });
});

t.test('audio reaches the core at the pace of its streams', { skip: withoutAddon }, async (t) => {
  const { addon, weights } = native as Extract<typeof native, { addon: unknown }>;
  const packets = await loadPackets('speech');
  const streams = 8;
  const core = createNativeCore(addon, weights, {
    ...coreOptions,
    maxStreams: streams,
    memory: packets.bytes,
  });
  const traffic = new Traffic(core, packets, streams);
  t.throws(() => traffic.check(), { message: /0 frames decoded/ }, 'before anything was sent');
  // 10 ms are not a multiple of a pass of 4 ms. The clock would advance by 12 ms, but the cost would be
  // divided by 10 ms.
  await t.rejects(traffic.run(10), { name: 'RangeError' });
  const cost = await traffic.run(3000);
  t.ok(cost > 0);
  traffic.check();
  for (let s = 0; s < streams; s++) {
    const { framesDecoded } = core.status(s);
    // Samples of an incomplete window, and samples since the last turn, are not processed yet.
    t.ok(framesDecoded >= 145 && framesDecoded <= 151, `stream ${s}: ${framesDecoded} of 150 frames`);
  }
  const held = traffic.bytesPerStream();
  t.ok(held > 18_000, 'a decoder alone has that much');
  t.ok(held < 100 * 1024, `${held} bytes a stream, without its speech buffer`);
  traffic.close();
});

import t from 'tap';
import { startGenerator } from '../../../bench/fleet/generator.js';
import { buildPrograms } from '../../../bench/native-programs.js';
import { fleetOf, generatorFor, numberedPackets, packetFile } from '../../support/fleet.js';

const packets = numberedPackets(64);

t.test('options that the generator cannot fulfil are refused with the reason', async (t) => {
  const path = await packetFile(t, packets);
  const cut = await packetFile(t, []);
  const good = fleetOf('ws://127.0.0.1:9', path);
  const [only] = good.classes;
  const cases: readonly [name: string, options: Parameters<typeof startGenerator>[0], reason: RegExp][] = [
    ['TLS', { ...good, url: 'wss://host:1' }, /wss:\/\/ is not spoken/],
    ['another protocol', { ...good, url: 'http://host:1' }, /takes ws:\/\/host:port/],
    ['no host', { ...good, url: 'ws://:80' }, /names no host/],
    ['a port that is none', { ...good, url: 'ws://127.0.0.1:70000' }, /port of --url/],
    ['an unknown host', { ...good, url: 'ws://no-such-host.invalid:1' }, /no-such-host\.invalid/],
    ['no classes', { ...good, classes: [] }, /--class is missing/],
    ['no weight', { ...good, classes: [{ ...only!, weight: 0 }] }, /weights are 0/],
    ['no packets', { ...good, classes: [{ ...only!, packets: cut }] }, /holds no packets/],
    ['no file', { ...good, classes: [{ ...only!, packets: `${path}.none` }] }, /cannot be read/],
    [
      'a file that is none',
      { ...good, classes: [{ ...only!, packets: process.execPath }] },
      /inside a packet|above 1 MiB/,
    ],
    ['no time between packets', { ...good, classes: [{ ...only!, frameMs: 0 }] }, /ms of --class/],
    ['a ramp of 0', { ...good, rampPerS: 0 }, /--ramp takes a number from 0.01/],
    ['a share above 1', { ...good, oddShare: 1.5 }, /--odd-share takes a number from 0 to 1/],
    ['stalls all the time', { ...good, network: { stallShare: 1, stallMs: 10 } }, /--stall-share/],
    ['NaN', { ...good, keepAliveMs: Number.NaN }, /--keep-alive-ms/],
    ['half a seed', { ...good, seed: 0.5 }, /whole number/],
    ['a header in a header', { ...good, headers: { a: 'b\r\nc: d' } }, /must not hold/],
    ['a query with a line in it', { ...good, classes: [{ ...only!, query: 'a=b\nc' }] }, /must not hold/],
    ['a core that is not there', { ...good, cpu: 1000 }, /core that is not there/],
  ];
  for (const [name, options, reason] of cases) {
    await t.rejects(startGenerator(options), { message: reason }, name);
  }
  await t.rejects(generatorFor(t, good, { flags: ['--frobnicate'] }), { message: /no such flag/ });
  await t.rejects(generatorFor(t, good, { flags: ['--cpu'] }), { message: /lacks a value/ });
});

t.test('without a compiler, the error names the remedy', async (t) => {
  const { PATH } = process.env;
  t.teardown(() => {
    process.env.PATH = PATH;
  });
  process.env.PATH = '/nowhere';
  await t.rejects(buildPrograms('native/fleet', ['generator'], ['-DNOT_BUILT_YET=ON']), {
    message: /bench\/native\/fleet does not build.*apt-get install cmake g\+\+/,
  });
});

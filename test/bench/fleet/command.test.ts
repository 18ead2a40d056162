/** Tests which arguments `cochlea bench fleet` accepts and refuses, and which files it writes. It measures nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import t from 'tap';
import { fleetCommand } from '../../../bench/commands/fleet.js';
import { costCommand } from '../../../bench/commands/load/cost.js';
import { soakCommand } from '../../../bench/commands/soak.js';
import { fleetModel } from '../../../bench/fleet/fleet-model.js';
import { openView } from '../../../bench/fleet/live-view.js';
import { isDisturbed, networkWords, openLoad } from '../../../bench/fleet/load.js';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { digest } from '../../../bench/packets/packets.js';
import { bench, command, startedWith } from '../../support/bench-command.js';
import { openFolder } from '../../support/folder.js';

t.test('Ctrl-C ends a fleet and all processes that it started', async (t) => {
  const folder = openFolder(t);
  const words = ['bench', 'fleet', '--streams', '5', '--seconds', '600'];
  const child = spawn(process.execPath, [command, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = once(child, 'exit');
  let error = '';
  for await (const chunk of child.stderr) {
    const before = error;
    error += String(chunk);
    if (/warm-up/.test(error) && !/warm-up/.test(before)) child.kill('SIGINT');
  }
  t.equal((await ended)[0], 130);
  t.match(error, /\nStopping what was started/);
  t.match(error, /\nInterrupted\.\n$/);
  t.same(startedWith(folder), []);
  t.same(readdirSync(folder), []);
});

/** Returns the error of a command for invalid arguments. */
const refusal = async (command: Command, words: readonly string[]): Promise<string> => {
  let said = '';
  command.exitOverride().configureOutput({
    writeErr: (text) => {
      said += text;
    },
  });
  await command.parseAsync(words, { from: 'user' }).catch(() => undefined);
  return said;
};

t.test('options that do not parse are refused before anything starts', async (t) => {
  const cases: [() => Command, string[], RegExp][] = [
    [fleetCommand, ['--url', 'http://127.0.0.1:1'], /like ws:/],
    [fleetCommand, ['--codec', 'mp3'], /opus/],
    [fleetCommand, ['--header', 'secret'], /like 'Authorization/],
    [fleetCommand, ['--stall', '2'], /a number from 0 to 1/],
    [fleetCommand, ['--fail-if', 'speed>1'], /no number of a row is called "speed"/],
    [costCommand, ['--streams', '50,120%'], /share of the capacity/],
    [costCommand, ['--peers', 'node,go'], /node-batched/],
    [costCommand, ['--hosted', 'provider_b,soniox'], /deepgram/],
    [costCommand, ['--material', 'speech,music'], /quiet-day/],
    [soakCommand, ['--minutes', '0'], /whole number/],
  ];
  for (const [command, words, message] of cases) {
    t.match(await refusal(command(), words), message, words.join(' '));
  }
});

t.test('help and errors have the same form as in other benches', async (t) => {
  const [help, mistake] = await Promise.all([bench(['fleet', '--help']), bench(['dance'])]);
  t.match(help, { code: 0, out: /--find-capacity/ });
  t.match(mistake, { code: 1, error: /unknown command 'dance'/ });
});

t.test('a server that cannot be reached is reported, and ends the run', async (t) => {
  const url = `ws://127.0.0.1:${await freePort()}`;
  const target = (metricsUrl: string) => ({
    name: 'absent',
    url,
    metricsUrl,
    versions: {},
    stop: () => Promise.resolve(),
  });
  const run = (metricsUrl: string) =>
    openLoad(
      async () => target(metricsUrl),
      { codec: 'opus', material: 'speech', rampPerS: 100, seed: 1 },
      openView(new PassThrough(), false),
      AbortSignal.timeout(60_000),
    );
  const page = run(`${url.replace('ws', 'http')}/metrics`);
  await t.rejects(page, { message: /absent does not show its page/ });
});

t.test('a fleet consists of existing packet files, with their hashes', async (t) => {
  const { classes, packets } = await fleetModel('mixed', 'speech');
  t.ok(classes.length >= 6, 'several codecs and sizes');
  t.ok(new Set(classes.map(({ frameMs }) => frameMs)).size >= 3, 'packets of several lengths');
  const hashes = new Set(classes.map(({ packets: path }) => digest(readFileSync(path))));
  t.same(hashes, new Set(Object.values(packets)));
  const day = await fleetModel('opus', 'day');
  const weights = Object.fromEntries(day.classes.map(({ name, weight }) => [name, weight]));
  t.ok(weights['opus quiet-day']! > 4 * weights['opus meeting']!, 'mostly quiet days');
});

t.test('the network settings are described in words', async (t) => {
  const fleet = { codec: 'opus', material: 'day', rampPerS: 1, seed: 1 } as const;
  t.equal(networkWords({ ...fleet, network: { jitterMs: 0, stallMs: 1000 } }), undefined);
  const network = { jitterMs: 20, stallShare: 0.02, stallMs: 500, disconnectEveryS: 60, reconnectMs: 300 };
  t.equal(
    networkWords({ ...fleet, network, keepAliveMs: 5000, oddShare: 0.1 }),
    'jitter 20 ms, stalls of 500 ms, 2 % of the time, disconnects every 60 s for 300 ms, keep-alives every 5000 ms, 10 % odd clients',
  );
  t.equal(isDisturbed({ ...fleet, network: { jitterMs: 20 } }), false);
  t.equal(isDisturbed({ ...fleet, network }), true);
  t.equal(isDisturbed({ ...fleet, oddShare: 0.1 }), true);
});

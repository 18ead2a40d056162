/** Tests the parts of `bench language-soak`: chosen sentences, kills, processes, memory and the log. */
import fc from 'fast-check';
import t from 'tap';
import { languageSoakCommand } from '../../../bench/commands/speech/language-soak.js';
import { AnsweredUtterances, answeredTwice } from '../../../bench/languages/gate.js';
import { killPlan } from '../../../bench/languages/kills.js';
import { loopOf, repeated } from '../../../bench/languages/loop.js';
import { MemoryReadings } from '../../../bench/languages/memory.js';
import { processesOf } from '../../../bench/languages/processes.js';
import { leakLines } from '../../../bench/languages/report.js';
import { deal } from '../../../bench/languages/sentences.js';
import { seeded } from '../../../bench/seeded.js';

const silence = (seconds: number): Int16Array => new Int16Array(seconds * 16_000);

/** Deals recordings whose texts are their paths. A recording whose path contains "too long" lasts 40 s. */
const dealt = (texts: readonly string[], streams: number, voices: readonly string[]) =>
  deal({
    language: 'en',
    streams,
    each: 5,
    candidates: texts.map((path, index) => ({ path, voice: voices[index % voices.length]! })),
    samplesOf: async (path) => silence(path.includes('too long') ? 40 : 2),
    textOf: async (path) => path,
    chosen: [],
  });

const texts = [
  'please press one to leave a message',
  'please press two to leave a message',
  'the ship sails into the harbour',
  'somebody has stolen my bicycle today',
  'good morning',
  'winter came early in that year',
  'she never forgot what he had said',
  'an unknown caller rings at midnight',
  'we planted apple trees behind the barn',
  'this is much too long for a sentence',
  'their father built boats near the coast',
  'many birds fly south before november',
];

t.test('streams get different sentences that are not alike, each of one voice', async (t) => {
  const streams = await dealt(texts, 2, ['a', 'b']);
  const said = streams.map((sentences) => sentences.map(({ text }) => text));
  t.equal(new Set(said.flat()).size, said.flat().length);
  t.equal(said.flat().length, 9, 'without one of the alike sentences, the short one and the long one');
  for (const [stream, sentences] of said.entries())
    t.ok(sentences.every((text) => texts.indexOf(text) % 2 === stream));
  await t.rejects(dealt(texts.slice(0, 8), 2, ['a']), /2 streams in en have fewer than 4 sentences/);
});

t.test('a loop has its sentences where they are, in each round', async (t) => {
  const sentences = [2, 3].map((length) => ({ pcm: silence(length), text: `${length}` }));
  const loop = loopOf(sentences, { least: 1000, most: 1000 }, seeded(1));
  t.same(loop.sentences, [
    { from: 0, to: 2000, text: '2' },
    { from: 3000, to: 6000, text: '3' },
  ]);
  t.equal(loop.duration, 7000);
  t.same(
    repeated(loop, 13_999).map(({ from, text }) => [from, text]),
    [
      [0, '2'],
      [3000, '3'],
      [7000, '2'],
      [10_000, '3'],
    ],
  );
  t.equal(repeated(loop, 12_999).length, 3, 'without a sentence that was not sent to its end');
});

t.test('a seed decides the kills', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 5, max: 60 }), (seed, every) => {
      const plan = killPlan({ seconds: 600, every, services: 3, seed });
      const decoders = plan.filter(({ what }) => what === 'decoder');
      const services = plan.filter(({ what }) => what === 'service');
      t.same(plan, killPlan({ seconds: 600, every, services: 3, seed }));
      t.same(
        plan,
        [...plan].sort((a, b) => a.at - b.at),
        'in order',
      );
      t.ok(decoders.length >= Math.floor(585 / (1.5 * every)) - 1 && decoders.length <= 585 / (0.5 * every));
      t.equal(services.length, 3);
      t.ok(
        services.every(({ at }) => at > 0 && at < 300),
        'in the first half',
      );
      t.ok(decoders.every(({ at, choice }) => at < 585 && choice >= 0 && choice < 1));
    }),
    { numRuns: 30 },
  );
  t.not(killPlan({ seconds: 600, every: 60, services: 1, seed: 2 })[0]!.at, 0);
});

t.test('processes are found by their commands and parents', async (t) => {
  const entry = (pid: number, parent: number, command: string) => ({ pid, parent, command, ticksMs: 0 });
  const all = [
    entry(1, 0, 'node cochlea.js up'),
    entry(2, 1, 'node cochlea.js engine --index 0'),
    entry(3, 1, 'node cochlea.js transcriber'),
    entry(4, 3, 'node decoder-process.js'),
    entry(5, 3, 'node decoder-process.js'),
    entry(6, 1, 'node cochlea.js sidecar'),
    entry(7, 2, 'node other.js'),
  ];
  t.same(processesOf(1, all), { engine: [2], service: [3], decoder: [4, 5] });
});

t.test('memory is a mean of processes that have loaded, and growth is judged', async (t) => {
  const processes = { engine: [1], service: [2], decoder: [3, 4] };
  const read = (sizeOf: (pid: number, at: number) => number | undefined): MemoryReadings => {
    const memory = new MemoryReadings();
    for (let at = 0; at <= 3600; at += 5) memory.read(at, processes, (pid) => sizeOf(pid, at));
    return memory;
  };
  const flat = read((pid, at) => (pid === 4 ? undefined : 1000 * pid + (at % 2)));
  t.equal(flat.pointsOf('decoder')[0]![0], 30);
  t.match(flat.growthOf('decoder'), { part: 'decoder', processes: 1 });
  t.same(leakLines([flat.growthOf('engine')!, flat.growthOf('decoder')!]), []);
  const growing = read((pid, at) => 100_000 + (pid === 2 ? at : 0));
  t.match(leakLines([growing.growthOf('service')!]), [/memory of the service grows by 60 KB a minute/]);
  t.same(leakLines([growing.growthOf('engine')!]), []);
  const jump = read((pid, at) => (pid === 2 && at > 1000 ? 200 : 100));
  t.same(leakLines([jump.growthOf('service', 1000)!]), [], 'readings before a restart are left out');
  t.equal(new MemoryReadings().growthOf('engine'), undefined);
});

t.test('final answers are read from the log', async (t) => {
  const line = (changes: object): string =>
    JSON.stringify({
      msg: 'speech transcribed',
      stream: 's',
      interim: false,
      from: 0,
      to: 900,
      reached: 800,
      outcome: 'success',
      took: 300,
      held: 20,
      ...changes,
    });
  const found = new AnsweredUtterances();
  for (const text of [
    line({ from: 2000, to: 2900 }),
    line({}),
    line({ interim: true }),
    line({ outcome: 'upstream_error' }),
    line({ stream: 't', outcome: 'expected_silence', reached: undefined }),
    'speech transcribed',
    line({}).slice(0, -5),
    line({ msg: 'other' }),
  ])
    found.take(text);
  t.same(found.of('s'), [
    { from: 0, to: 900, hasWords: true },
    { from: 2000, to: 2900, hasWords: true },
  ]);
  t.same(found.of('t'), [{ from: 0, to: 900, hasWords: false }]);
  t.same(found.of('u'), []);
  t.equal(found.count, 3);
  t.same(found.lags, [320, 320, 320]);
  const late = { conversation: 'c', from: 70_000, to: 71_000 };
  found.take(JSON.stringify({ msg: 'retained audio is transcribed', ...late, outcome: 'merged' }));
  found.take(JSON.stringify({ msg: 'retained audio has no words', ...late, outcome: 'silent' }));
  found.take(JSON.stringify({ msg: 'retained audio has no words', ...late, from: null }));
  t.same(
    found.lateOf('c').map(({ hasWords }) => hasWords),
    [true, false],
  );
  t.same(found.lateOf('d'), []);
  t.equal(found.count, 3, 'of open streams');
  t.equal(answeredTwice(found.of('s')), 0);
  t.equal(answeredTwice([...found.of('s'), { from: 2500, to: 3000, hasWords: true }]), 1);
});

t.test('invalid options are refused', async (t) => {
  for (const [words, why] of [
    [['--languages', 'en,xx'], /different languages among en, fr, nl, cs/],
    [['--languages', 'en,en'], /different languages/],
    [['--pauses', '3000,1000'], /two whole numbers/],
    [['--speakers', '0'], /whole number above 0/],
    [['--kills-every', '1.5'], /whole number above 0/],
  ] as const) {
    const command = languageSoakCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    await t.rejects(command.parseAsync([...words], { from: 'user' }), why);
  }
});

/** Tests the sounds without words, their halves, and the counts of `bench invented`. */
import t from 'tap';
import { inventedCommand } from '../../bench/commands/invented.js';
import { utterancesOf } from '../../bench/sounds/gated.js';
import { generatedSounds, halfOf, type Sound } from '../../bench/sounds/set.js';
import { runInvented } from '../../bench/suites/speech/invented.js';
import { fixtureUtterances } from '../../bench/words/material.js';

t.test('the generated sounds last an hour and have two halves', async (t) => {
  const sounds = await generatedSounds();
  t.equal(new Set(sounds.map(({ name }) => name)).size, sounds.length);
  t.ok(sounds.length >= 60, 'a minute each');
  const kinds = new Map<string, Sound[]>();
  for (const sound of sounds) kinds.set(sound.kind, [...(kinds.get(sound.kind) ?? []), sound]);
  t.strictSame([...kinds.keys()].sort(), [
    'babble',
    'household',
    'humming',
    'music',
    'noise',
    'reverberant',
    'tones',
    'wind',
  ]);
  for (const [kind, of] of kinds)
    t.equal(of.filter(({ half }) => half === 'choosing').length, of.length / 2, kind);
  t.equal(halfOf('rain/roof.wav'), halfOf('rain/roof.wav'));
  const tones = sounds.find(({ name }) => name === 'tones/1')!;
  const pcm = await tones.make();
  t.equal(pcm.length, 60 * 16_000);
  t.ok(
    pcm.some((sample) => Math.abs(sample) > 3000),
    'it is audible',
  );
  t.strictSame(await tones.make(), pcm, 'the same each time');
});

t.test('the gate passes speech, and refuses a tone', async (t) => {
  const { pcm } = (await fixtureUtterances())[0]!;
  const passed = utterancesOf(pcm).reduce((sum, one) => sum + one.pcm.length, 0);
  t.ok(passed > 0.8 * pcm.length && passed <= pcm.length, `${passed} of ${pcm.length} samples`);
  const tone = Int16Array.from({ length: 48_000 }, (_, index) => 9000 * Math.sin(index / 6));
  t.strictSame(utterancesOf(tone), []);
});

t.test('words are counted by model, way, half and kind', async (t) => {
  const sound = (name: string): Sound => ({
    name,
    kind: name.split('/')[0]!,
    half: halfOf(name),
    make: async () => new Int16Array(16_000),
  });
  const told: string[] = [];
  const { results } = await runInvented({
    sounds: ['wind/0', 'wind/1', 'tones/0'].map(sound),
    models: [
      {
        name: 'm',
        load: async () => async (_, way) => ({ text: 'oh no', words: way === 'gate' ? 0 : 2, passed: 1 }),
      },
    ],
    ways: ['gate', 'direct'],
    tell: (line) => told.push(line),
  });
  const rows = results.map(({ mode, material, invented_words, seconds }) => [
    mode,
    material,
    invented_words,
    seconds,
  ]);
  t.strictSame(rows, [
    ['gate, choosing', 'wind', 0, 1],
    ['gate, choosing', 'all', 0, 2],
    ['gate, validating', 'wind', 0, 1],
    ['gate, validating', 'all', 0, 1],
    ['gate, choosing', 'tones', 0, 1],
    ['direct, choosing', 'wind', 2, 1],
    ['direct, choosing', 'all', 4, 2],
    ['direct, validating', 'wind', 2, 1],
    ['direct, validating', 'all', 2, 1],
    ['direct, choosing', 'tones', 2, 1],
  ]);
  t.equal(told.length, 3);
  t.match(told[0], /m, direct, choosing, wind\/0: 2 words: oh no/);
});

t.test('an unknown way is refused', async (t) => {
  const quiet = inventedCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  await t.rejects(quiet.parseAsync(['--way', 'radio'], { from: 'user' }), {
    message: /Allowed choices are gate, direct/,
  });
});

/** Tests how runs with failing providers and with many people are judged. The runs themselves take too long for the test suite. */
import t from 'tap';
import { crowdCommand } from '../../../bench/commands/crowd.js';
import { providerSoakCommand } from '../../../bench/commands/provider-soak.js';
import { speeches } from '../../../bench/crowd/people.js';
import { judgeWords } from '../../../bench/suites/speech/provider-soak.js';

t.test('stored words are compared with the words that providers sent', async (t) => {
  const told = ['b-0-1', 'b-0-2', 'a-3-1'];
  const rows: readonly [name: string, stored: readonly string[], judged: object][] = [
    ['all', told, { lost: [], doubled: [], unknown: [] }],
    ['one lost', ['b-0-1', 'a-3-1'], { lost: ['b-0-2'] }],
    ['one twice', [...told, 'b-0-1'], { doubled: ['b-0-1'] }],
    ['one of nothing', [...told, 'b-9-9'], { lost: [], unknown: ['b-9-9'] }],
  ];
  for (const [name, stored, judged] of rows) t.match(judgeWords(told, stored), judged, name);
});

t.test('each person begins with another sentence, and the text matches the audio', async (t) => {
  const said = await speeches(7, 10, 'pcm16', 16_000);
  t.equal(new Set(said.map(({ text }) => text)).size, 5, 'as many as there are sentences');
  for (const { frames, text } of said) {
    const seconds = frames.reduce((sum, { duration }) => sum + duration, 0) / 1000;
    t.ok(seconds >= 10 && seconds < 30, `${seconds} s`);
    t.match(text, /\w+ \w+/);
  }
});

t.test('values that are not numbers are refused', async (t) => {
  for (const [make, args] of [
    [crowdCommand, ['--people', '1,x']],
    [crowdCommand, ['--seconds', '0']],
    [providerSoakCommand, ['--wearables', 'many']],
  ] as const) {
    const command = make()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    await t.rejects(command.parseAsync([...args], { from: 'user' }), /whole number/, args.join(' '));
  }
});

import t from 'tap';
import { rowSchema } from '../../../bench/report/envelope.js';
import { judgeTranslations, runTranslations } from '../../../bench/suites/speech/translations.js';
import { modelStates } from '../../../bench/translations/model.js';

const received = (delay: number, translations = 0) => ({ delays: [delay, delay], missing: 0, translations });

t.test('translated segments are judged by segments that are not translated', async (t) => {
  const cases = [
    ['the same', judgeTranslations('well', received(100), received(100, 1)), []],
    ['just as late as it may be', judgeTranslations('slow', received(100), received(150)), []],
    ['too late', judgeTranslations('away', received(100), received(151)), [/away: .* 1\.51 times as late/]],
    ['no translation', judgeTranslations('well', received(100), received(100)), [/nothing was translated/]],
    ['one too many', judgeTranslations('wrong', received(100, 1), received(100)), [/got some/]],
    [
      'silence',
      judgeTranslations('wrong', received(100), { ...received(1), delays: [] }),
      [/no segment came/],
    ],
  ] as const;
  for (const [name, { failures }, expected] of cases) {
    t.equal(failures.length, expected.length, `${name}: ${failures.join('; ')}`);
    for (const [index, pattern] of expected.entries()) t.match(failures[index], pattern);
  }
});

t.test('a run has rows for every state of the translating model', { timeout: 180_000 }, async (t) => {
  const { results, failures } = await runTranslations({
    streams: 2,
    seconds: 3,
    signal: new AbortController().signal,
  });
  t.equal(results.length, 2 * modelStates.length);
  for (const row of results) t.doesNotThrow(() => rowSchema.parse(row));
  t.ok(
    results.every((row) => row.p99_ms! > 0),
    'segments come whatever the model does',
  );
  t.notMatch(failures, ['nothing was translated']);
});

/** Tests which sentences are translated. The product's language detector decides. */
import t from 'tap';
import { loadDetector } from '../../src/translation/detector.js';
import { baseOf, judgeLanguage } from '../../src/translation/judge-language.js';
import { endsStable, planSentences } from '../../src/translation/sentence-plan.js';
import { targetOfUser } from '../../src/translation/user-targets.js';

const detect = await loadDetector();

t.test("judges whether a text is in the user's language, in another one, or too short", async (t) => {
  const cases = [
    ['We should meet on Monday.', 'en', 'target'],
    ['We should meet on Monday.', 'en-GB', 'target'],
    ['Deberíamos vernos el lunes.', 'en', 'other'],
    ['Deberíamos vernos el lunes.', 'es', 'target'],
    ['Kannst du mir den Bericht schicken?', 'fr', 'other'],
    ['おはようございます、元気ですか。', 'en', 'other'],
    ['你好，今天怎么样？', 'en', 'other'],
    // The sentence is Danish or Norwegian. The detector cannot distinguish the two here.
    ['Hvordan har du det i dag?', 'no', 'unknown'],
    ['Hvordan har du det i dag?', 'en', 'other'],
    ['Sí, claro.', 'en', 'unknown'],
    ['OK ok ok ok ok ok.', 'en', 'unknown'],
    ['', 'en', 'unknown'],
    ['12 345 678 901 234', 'en', 'unknown'],
  ] as const;
  for (const [text, target, expected] of cases)
    t.equal(judgeLanguage(text, target, detect), expected, `${text} for ${target}`);
  t.equal(baseOf('pt_BR'), 'pt');
});

t.test("translates the sentences of a segment that are not in the user's language", async (t) => {
  t.equal(planSentences('We should meet on Monday. I think so.', 'en', detect), null);
  t.same(planSentences('We should meet on Monday. Deberíamos vernos el lunes. Sí, claro.', 'en', detect), [
    { text: 'We should meet on Monday.', translate: false },
    { text: 'Deberíamos vernos el lunes.', translate: true },
    { text: 'Sí, claro.', translate: true },
  ]);
  t.same(
    planSentences('Sí, claro. Muy bien. Vale, hoy.', 'en', detect)?.map(({ translate }) => translate),
    [true, true, true],
    'short sentences are judged together',
  );
});

t.test('treats the end of a segment as stable if it ends like a sentence or is long', async (t) => {
  t.ok(endsStable('Hola a todos.'));
  t.ok(endsStable('你好。'));
  t.notOk(endsStable('Hola a todos. Y ahora'));
  t.ok(endsStable('uno dos tres cuatro cinco seis siete ocho nueve diez once doce'));
});

t.test('returns the target language of users with translations', async (t) => {
  const cases = [
    [{ language: 'en', single_language_mode: false }, 'en'],
    [{ language: 'pt-BR', single_language_mode: false }, 'pt-BR'],
    [{ language: 'en', single_language_mode: true }, null],
    [{ language: null, single_language_mode: false }, null],
    [{ language: 'multi', single_language_mode: false }, null],
    [{ language: 'auto', single_language_mode: false }, null],
    [null, null],
  ] as const;
  for (const [user, expected] of cases) t.equal(targetOfUser(user), expected, JSON.stringify(user));
});

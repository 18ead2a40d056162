/** Tests which provider serves a stream, which parts of a text are used, and how outcomes are reported. */
import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import t from 'tap';
import { errorRegistry } from '../../../src/errors/registry.js';
import { findModel } from '../../../src/models/directory.js';
import { createDiscardProvider } from '../../../src/stt/providers/discard-provider.js';
import { createLocalProvider } from '../../../src/stt/providers/local-provider.js';
import { baseLanguage, selectProvider } from '../../../src/stt/providers/select-provider.js';
import { cleanTranscript } from '../../../src/stt/shared/clean-transcript.js';
import { failureCode, type Outcome } from '../../../src/stt/shared/outcomes.js';
import type { Provider } from '../../../src/stt/shared/provider.js';

const provider = (name: string, ...languages: string[]): [string, Provider] => [
  name,
  {
    ...createDiscardProvider(),
    name,
    capabilities: { ...createDiscardProvider().capabilities, supports: (l) => languages.includes(l) },
  },
];
const available = new Map([
  provider('local', 'en'),
  provider('provider_a', 'en'),
  provider('provider_b', 'multi', 'en', 'es'),
]);

t.test('selects a provider by policy, language and request', async (t) => {
  const cases: [order: string[], language: string, wanted: string | null, chosen: string | null][] = [
    [['local'], 'en', null, 'local'],
    [['local'], 'EN-gb', null, 'local'],
    [['local'], 'en_US', null, 'local'],
    [['local'], '', null, 'local'],
    [['local'], 'multi', null, null],
    [['local'], 'es', null, null],
    [[], 'en', null, null],
    [['soniox'], 'en', null, null],
    [['Local'], 'en', null, 'local'],
    [['PARAKEET'], 'en', 'Parakeet', 'provider_a'],
    [['provider_b', 'local'], 'en', null, 'provider_b'],
    [['local', 'provider_b'], 'es', null, 'provider_b'],
    [['local', 'provider_b'], 'multi', null, 'provider_b'],
    [['provider_b'], 'multi-DE', null, null],
    [['provider_b'], 'multi_', null, null],
    [['local'], '-', null, null],
    [['local'], '_en', null, null],
    [['modulate-velma-2', 'parakeet'], 'en', null, 'provider_b'],
    [['modulate-velma-2', 'parakeet'], 'en', 'parakeet', 'provider_a'],
    [['provider_b', 'provider_a'], 'en', 'provider_a', 'provider_a'],
    [['provider_b', 'provider_a'], 'es', 'provider_a', 'provider_b'],
    [['local'], 'en', 'provider_a', 'local'],
    [['local'], 'en', 'nonsense', 'local'],
  ];
  for (const [order, language, wanted, chosen] of cases) {
    const name = selectProvider(order, available, language, wanted)?.name ?? null;
    t.equal(name, chosen, `[${order}] ${language} wanted ${wanted}`);
  }
  t.equal(selectProvider(['provider_a'], new Map(), 'en', null), null, 'listed but not there');
  t.equal(baseLanguage('zh-Hant-TW'), 'zh');
  t.equal(baseLanguage('Multi'), 'multi');
  t.not(baseLanguage('multi-DE'), 'multi', 'a service must not detect the language of such a request');
});

t.test('numbers, dates and amounts stay as the model wrote them', async (t) => {
  for (const written of [
    'You have 25 messages.',
    'You have $45, $5.50 or 45 dollars.',
    'Call (555) 013-4567.',
    'The loss was (1,234.56) this year.',
    'Vous avez 45 dollars, à 7h30, lundi 23 novembre.',
    'Am 3.10. um 7.30 Uhr, 12,5 % von 1.000 €',
    '3月23日に1万円',
    'twenty five',
  ])
    t.equal(cleanTranscript(written), written);
});

t.test('removes sound descriptions from a text', async (t) => {
  const cases: [heard: string, kept: string][] = [
    [' Hello  there.\n', 'Hello there.'],
    ['[BLANK_AUDIO]', ''],
    ['[Music] Good morning', 'Good morning'],
    ['(coughs) yes (laughs)', 'yes'],
    ['*sighs* fine', 'fine'],
    ['<|nospeech|>', ''],
    ['♪ la la ♪', 'la la'],
    ['and then [inaud', 'and then'],
    ['. . .', ''],
    ['!!!!', ''],
    ['', ''],
    ['7', '7'],
    ['Ça va', 'Ça va'],
    ['[[a] b]', 'b]'],
    [`(${'long '.repeat(10)}aside)`, `(${'long '.repeat(10)}aside)`],
  ];
  for (const [heard, kept] of cases) t.equal(cleanTranscript(heard), kept, JSON.stringify(heard));
});

t.test('cleans a text idempotently and adds no characters', async (t) => {
  const heard = fc
    .array(fc.constantFrom('[', ']', '(', ')', '*', '<|', '|>', '♪', ' ', '\n', 'a', 'Hello', '7', '.'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(heard, fc.string({ unit: 'grapheme' })), (text) => {
      const once = cleanTranscript(text);
      const kept = [...once].filter((character) => character !== ' ');
      let from = 0;
      const inOrder = kept.every((character) => {
        from = text.indexOf(character, from) + character.length;
        return from >= character.length;
      });
      return cleanTranscript(once) === once && inOrder && (once === '' || /[\p{L}\p{N}]/u.test(once));
    }),
  );
  t.pass('for any text');
});

t.test('the local provider supports the languages of its model', async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.teardown(() => {
    port1.close();
    port2.close();
  });
  for (const [languages, served] of [
    [['en'], ['en']],
    [
      ['de', 'fr'],
      ['de', 'fr', 'multi'],
    ],
    [[], []],
  ] as const) {
    const local = createLocalProvider(port1, { languages: () => languages });
    const serves = (language: string): boolean =>
      selectProvider(['local'], new Map([['local', local]]), language, null) !== null;
    for (const language of ['en', 'de', 'fr', 'es', 'multi'])
      t.equal(
        serves(language),
        served.some((code) => code === language),
        `${languages}: ${language}`,
      );
  }
  t.same(findModel('whisper-tiny.en').recogniser?.languages, ['en']);
});

t.test('maps outcomes to error codes', async (t) => {
  const outcomes: [outcome: Outcome, code: string | undefined, retryable?: boolean][] = [
    ['success', undefined],
    ['expected_silence', undefined],
    ['empty_unexpected', 'stt_empty_unexpected', true],
    ['timeout', 'stt_timeout', true],
    ['upstream_error', 'stt_upstream_error', true],
    ['config_error', 'stt_provider_configuration_error', false],
    ['invalid_input', 'stt_invalid_input', false],
  ];
  for (const [outcome, code, retryable] of outcomes) {
    const found = failureCode(outcome);
    t.equal(found, code, outcome);
    if (found) t.equal(errorRegistry[found].retryable, retryable, `${outcome}: whether to try again`);
  }
});

t.test('the discard provider answers every utterance as silence', async (t) => {
  const discard = createDiscardProvider();
  t.ok(discard.capabilities.supports('xx'));
  const stream = await discard.connect({
    id: 'a',
    user: 'u',
    language: 'en',
    signal: new AbortController().signal,
    emit: () => undefined,
  });
  const result = await stream.transcribe({
    id: 9,
    user: 'u',
    stream: 'a',
    pcm: new Int16Array(1),
    start: 0,
    end: 1,
    language: 'en',
  });
  t.match(result, { id: 9, outcome: 'expected_silence', text: '', provider: 'discard' });
  await stream.finish(0);
});

/** Streams with `language=multi`: the language of requests, utterances that are decoded again, and the conversation's language. */
import t from 'tap';
import type { UtteranceRequest, UtteranceResult } from '../../../src/stt/shared/provider.js';
import type { OpenRequest } from '../../../src/wire/stream.js';
import { FakeProvider, type Held } from '../support/fake-provider.js';
import { Harness, type HarnessOptions, silence, speech } from '../support/harness.js';

interface Started {
  readonly options?: Partial<HarnessOptions>;
  readonly request?: Partial<OpenRequest>;
  readonly languages?: readonly string[];
  readonly interim?: boolean;
}

const start = async ({
  options,
  request,
  languages = ['en', 'fr'],
  interim,
}: Started = {}): Promise<Harness> => {
  const provider = new FakeProvider('local', ['multi', 'en', 'en-US'], interim);
  provider.manual = true;
  const h = new Harness({ providers: [provider], languages, ...options });
  await h.open(0, { language: 'multi', ...request });
  return h;
};

/** Speaks for some seconds, and ends the utterance. */
const say = async (h: Harness, seconds: number): Promise<void> => {
  h.stream(0, [...speech(7, seconds * 50), ...silence()]);
  await h.settle();
};

const shares = {
  fr: new Map([
    ['fr', 0.95],
    ['en', 0.05],
  ]),
  en: new Map([
    ['en', 0.98],
    ['fr', 0.02],
  ]),
} as const;

/** Answers the oldest request in its language. @param heard the language that the model recognises. */
const answer = async (h: Harness, heard: 'fr' | 'en', more: Partial<UtteranceResult> = {}): Promise<Held> => {
  await h.settle();
  const asked = h.provider.held.shift()!;
  const { language } = asked.request;
  asked.answer({ text: `${heard} as ${language}`, language, languages: shares[heard], ...more });
  await h.tick();
  return asked;
};

const texts = (h: Harness): string[] => h.segments(0).map(({ text }) => text);
const spoken = (h: Harness): unknown => h.journal.conversations.get(h.conversationId(0))?.spoken?.language;
const asked = ({ request: { language, languages } }: { request: UtteranceRequest }) => [language, languages];

t.test('a request has the language of the stream and the languages of the user', async (t) => {
  for (const [name, started, expected] of [
    ['those of the deployment', {}, ['en', ['en', 'fr']]],
    ['one of them', { languages: ['fr'] }, ['fr', ['fr']]],
    ['none is known', { languages: [] }, ['multi', undefined]],
    ['a fixed language', { request: { language: 'en-US' } }, ['en-US', undefined]],
  ] as const) {
    const h = await start(started);
    await say(h, 1);
    t.strictSame(asked(h.provider.held[0]!), expected, name);
  }
  const provider = new FakeProvider('local', ['multi']);
  provider.manual = true;
  const h = new Harness({ providers: [provider], languages: ['en', 'fr'] });
  h.journal.userLanguages = { languages: ['de', 'fr'], language: 'en' };
  await h.open(0, { language: 'multi' });
  await say(h, 1);
  t.strictSame(asked(provider.held[0]!), ['de', ['de', 'fr']], 'those of the user');
  h.journal.mode = 'spill';
  await h.open(1, { language: 'multi', deviceId: 'other' });
  h.stream(1, [...speech(3), ...silence()]);
  await h.settle();
  t.strictSame(asked(provider.held[1]!), ['en', ['en', 'fr']], "the deployment's without a database");
});

t.test('an utterance in another language is decoded again, once, and the stream follows', async (t) => {
  const h = await start();
  await say(h, 5);
  await answer(h, 'fr');
  t.strictSame(texts(h), [], 'its words in the wrong language are not shown');
  const [again] = h.provider.held;
  t.equal(again!.request.language, 'fr');
  t.ok(again!.request.pcm.includes(7), 'the request has its samples');
  await answer(h, 'fr');
  t.strictSame(texts(h), ['fr as fr']);
  t.equal(h.provider.held.length, 0);
  t.equal(h.metric('utterances_other_language_total'), 1);
  t.equal(h.metric('stream_language_changes_total'), 1);
  t.equal(spoken(h), 'fr', 'and so does the conversation');
  await say(h, 1);
  t.equal(h.provider.held[0]!.request.language, 'fr');
  await answer(h, 'fr');
  t.equal(h.provider.held.length, 0, 'no second request in the language of the stream');
});

t.test('the second result counts, whatever it says', async (t) => {
  for (const [name, second, expected] of [
    ['the same language as before', { languages: shares.en }, 'fr as fr'],
    ['no words', { outcome: 'empty_unexpected', text: '' }, undefined],
    ['retained audio', { outcome: 'upstream_error', text: '', retained: 'key' }, undefined],
    ['a lost request', { outcome: 'upstream_error', text: '' }, 'fr as en'],
  ] as const) {
    const h = await start();
    await say(h, 5);
    await answer(h, 'fr');
    await answer(h, 'fr', second);
    t.strictSame(texts(h), expected === undefined ? [] : [expected], name);
    t.equal(h.provider.held.length, 0, `${name}: no third request`);
    t.notOk(
      h.story(0).some((event) => event.startsWith('close')),
      name,
    );
  }
});

t.test('short utterances change the language together', async (t) => {
  const h = await start();
  await say(h, 2);
  await answer(h, 'fr');
  t.strictSame(texts(h), ['fr as en'], 'the first is shown as it is');
  await say(h, 3);
  await answer(h, 'fr');
  t.equal(h.provider.held[0]!.request.language, 'fr', 'the one that changes the language is decoded again');
  await answer(h, 'fr');
  t.match(texts(h).join(' '), /fr as fr/);
});

t.test('audio without words shows no language', async (t) => {
  const h = await start();
  for (let count = 0; count < 3; count++) {
    await say(h, 5);
    await answer(h, 'fr', { outcome: 'empty_unexpected', text: '' });
  }
  t.equal(h.provider.held.length, 0);
  await say(h, 1);
  t.equal(h.provider.held[0]!.request.language, 'en');
});

t.test('words that were requested before the end are decoded again, too', async (t) => {
  const h = await start({ interim: true });
  h.stream(0, [...speech(7, 250), ...silence(10)]);
  await h.settle();
  for (const held of h.provider.held.splice(0))
    held.answer({ text: 'fr as en', language: 'en', languages: shares.fr });
  await h.settle();
  h.stream(0, silence(40));
  await h.settle();
  t.strictSame(
    h.provider.held.map(({ request }) => [request.language, request.interim, request.pcm.includes(7)]),
    [['fr', undefined, true]],
  );
  await answer(h, 'fr');
  t.strictSame(texts(h), ['fr as fr']);
  h.stream(0, speech(7, 60));
  await h.settle();
  t.strictSame(
    asked(h.provider.held.at(-1)!),
    ['fr', ['en', 'fr']],
    'interim words have the current language',
  );
});

t.test('utterances stay in order', async (t) => {
  const h = await start();
  await say(h, 5);
  await say(h, 1);
  const [first, second] = h.provider.held.splice(0);
  second!.answer({ text: 'second', language: 'en', languages: shares.fr });
  first!.answer({ text: 'first', language: 'en', languages: shares.fr });
  await h.settle();
  t.strictSame(texts(h), []);
  await answer(h, 'fr', { text: 'first again' });
  await h.settle();
  t.equal(h.provider.held[0]!.request.language, 'fr', 'the second one follows the language of the stream');
  await answer(h, 'fr', { text: 'second again' });
  t.strictSame(texts(h).join(' '), 'first again second again');
});

t.test('retained audio has the current language', async (t) => {
  const h = await start();
  await say(h, 5);
  await answer(h, 'fr');
  await answer(h, 'fr');
  await say(h, 2);
  h.provider.held.shift()!.fail();
  await h.settle();
  t.strictSame(
    h.retained.map(({ language }) => language),
    ['fr'],
  );
});

t.test("a conversation's language is that of most of its speech, also after a reconnect", async (t) => {
  const h = await start();
  await say(h, 6);
  await answer(h, 'en');
  t.equal(spoken(h), 'en');
  await say(h, 5);
  await answer(h, 'fr');
  await answer(h, 'fr');
  t.equal(spoken(h), 'en', 'less French than English');
  h.close(0);
  await h.settle();
  await h.open(1, { language: 'multi' });
  h.stream(1, [...speech(7, 300), ...silence()]);
  await answer(h, 'fr');
  await answer(h, 'fr');
  t.equal(h.conversationId(1), h.conversationId(0));
  t.equal(spoken(h), 'fr', 'more French than English');
});

t.test('after a reconnect, a stream begins in the language of its conversation', async (t) => {
  for (const [name, before, request, expected] of [
    ['the language of most of the speech', 'multi', {}, ['fr', ['fr', 'en']]],
    ['a stream with a fixed language', 'fr-CA', {}, ['fr', ['fr', 'en']]],
    ['a language that the user does not speak', 'de', {}, ['en', ['en', 'fr']]],
    ['another conversation', 'multi', { deviceId: 'other' }, ['en', ['en', 'fr']]],
  ] as const) {
    const provider = new FakeProvider('local', ['multi', 'fr', 'fr-CA', 'de']);
    provider.manual = true;
    const h = await start({ options: { providers: [provider] }, request: { language: before } });
    await say(h, 6);
    await answer(h, 'fr');
    if (before === 'multi') await answer(h, 'fr');
    h.close(0);
    await h.settle();
    await h.open(1, { language: 'multi', ...request });
    h.stream(1, [...speech(7), ...silence()]);
    await h.settle();
    t.strictSame(asked(provider.held.at(-1)!), expected, name);
  }
});

t.test('a stream begins in the first language of the user if its conversation has no speech', async (t) => {
  const h = await start({ languages: ['fr', 'en'], request: { language: 'en' } });
  await h.open(1, { language: 'multi' });
  h.stream(1, [...speech(7), ...silence()]);
  await h.settle();
  t.strictSame(asked(h.provider.held[0]!), ['fr', ['fr', 'en']]);
});

t.test('a stream with a fixed language stores nothing about languages', async (t) => {
  const h = await start({ request: { language: 'en-US' } });
  await say(h, 5);
  await answer(h, 'fr');
  t.strictSame(texts(h), ['fr as en-US']);
  t.equal(h.journal.commits.flat().filter((change) => change.spoken !== undefined).length, 0);
});

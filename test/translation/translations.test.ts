/** Tests the translations of an engine process, with a stopped clock and a translator that the test controls. */
import t from 'tap';
import { CochleaError } from '../../src/errors/cochlea-error.js';
import { createLogger } from '../../src/log/logger.js';
import { MetricsTable } from '../../src/metrics/metrics.js';
import { loadDetector } from '../../src/translation/detector.js';
import { type ToShard, Translations } from '../../src/translation/translations.js';
import type { TranslationRequest } from '../../src/translation/translator.js';
import type { FromTranslation, TranslatedSegment } from '../../src/wire/translation.js';

const detect = await loadDetector();
const english = async (request: TranslationRequest): Promise<string[]> =>
  request.sentences.map((sentence) => `English of ${sentence}`);

class Desk {
  readonly requests: TranslationRequest[] = [];
  readonly told: FromTranslation[] = [];
  readonly stored: { uid: string; conversation: string; segments: readonly TranslatedSegment[] }[] = [];
  readonly table = new MetricsTable(1);
  now = 0;
  target: string | null = 'en';
  answer: (request: TranslationRequest) => Promise<readonly (string | null)[]> = english;
  readonly shard: ToShard = (message) => this.told.push(message);
  readonly translations = new Translations({
    translator: {
      translate: (request) => {
        this.requests.push(request);
        return this.answer(request);
      },
    },
    detector: async () => detect,
    targetOf: async () => this.target,
    store: async (uid, conversation, segments) => {
      this.stored.push({ uid, conversation, segments });
    },
    bounds: { total: 100, user: 50 },
    concurrency: 2,
    cache: 100_000,
    metrics: this.table.row(0),
    log: createLogger('test', 'silent'),
    now: () => this.now,
  });

  say(text: string, id = '1', uid = 'ann', removed: string[] = []): void {
    const conversation = `of ${uid}`;
    this.translations.receive(
      { kind: 'segments', uid, conversation, segments: [{ id, text }], removed },
      this.shard,
    );
  }

  async pass(milliseconds = 300): Promise<void> {
    this.now += milliseconds;
    this.translations.look();
    for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
  }
}

t.test('translates only the new sentences of a growing segment', async (t) => {
  const desk = new Desk();
  desk.say('Deberíamos vernos el lunes.');
  await desk.pass();
  t.match(desk.told, [
    {
      kind: 'translated',
      uid: 'ann',
      conversation: 'of ann',
      segments: [
        {
          id: '1',
          source: 'Deberíamos vernos el lunes.',
          translation: { lang: 'en', text: 'English of Deberíamos vernos el lunes.' },
        },
      ],
    },
  ]);
  desk.say('Deberíamos vernos el lunes. ¿Me puedes mandar el informe?');
  await desk.pass();
  t.same(desk.requests[1]!.sentences, ['¿Me puedes mandar el informe?']);
  t.match(desk.told[1], {
    segments: [
      {
        translation: {
          text: 'English of Deberíamos vernos el lunes. English of ¿Me puedes mandar el informe?',
        },
      },
    ],
  });
  t.equal(desk.table.total('translation_cache_hits_total'), 1);
  t.equal(desk.table.total('translation_sentences_total'), 2);
  t.equal(desk.table.total('translations_total'), 2);
});

t.test("sends no request for text in the user's language or too short to judge", async (t) => {
  const desk = new Desk();
  desk.say('We should meet on Monday.', '1');
  desk.say('Sí, claro.', '2');
  await desk.pass();
  t.same(desk.requests, []);
  t.same(desk.told, []);
});

t.test('drops a translation that equals the text', async (t) => {
  const desk = new Desk();
  desk.answer = async ({ sentences }) => sentences;
  desk.say('Deberíamos vernos el lunes.');
  await desk.pass();
  desk.say('Deberíamos vernos el lunes.');
  await desk.pass();
  t.equal(desk.requests.length, 1, 'the sentence is not requested again');
  t.same(desk.told, []);
});

t.test('shares no request and no cached sentence between users', async (t) => {
  const desk = new Desk();
  desk.say('Deberíamos vernos el lunes.', '1', 'ann');
  desk.say('Deberíamos vernos el lunes.', '1', 'bob');
  await desk.pass();
  t.same(
    desk.requests.map(({ uid, sentences }) => [uid, sentences.length]),
    [
      ['ann', 1],
      ['bob', 1],
    ],
  );
});

t.test('a user who waits for the model delays no other user', async (t) => {
  const desk = new Desk();
  desk.answer = ({ uid, ...rest }) =>
    uid === 'ann' ? new Promise(() => undefined) : english({ uid, ...rest });
  for (let id = 0; id < 20; id++) desk.say('Deberíamos vernos el lunes.', `${id}`, 'ann');
  await desk.pass();
  desk.say('Creo que sí, claro que sí.', '1', 'bob');
  await desk.pass();
  t.match(desk.told, [{ uid: 'bob' }]);
  desk.say('Creo que sí, claro que sí.', '99', 'ann');
  await desk.pass();
  t.equal(desk.requests.filter(({ uid }) => uid === 'ann').length, 1, 'one request of a user at a time');
});

t.test('a failed request drops only its own segments', async (t) => {
  const desk = new Desk();
  desk.answer = async () => {
    throw new CochleaError('llm_unavailable', { why: 'it is a test' });
  };
  desk.say('Deberíamos vernos el lunes.');
  await desk.pass();
  t.equal(desk.table.total('translations_failed_total'), 1);
  t.ok(desk.translations.idle, 'it is not tried again');
  desk.answer = english;
  desk.say('Deberíamos vernos el lunes. Creo que sí, claro.');
  await desk.pass();
  t.match(desk.told, [{ kind: 'translated' }], 'the segment is translated when it grows');
});

t.test('an unusable translation drops only its own segment', async (t) => {
  const desk = new Desk();
  desk.answer = async ({ sentences }) =>
    sentences.map((sentence) => (/lunes/.test(sentence) ? null : `English of ${sentence}`));
  desk.say('Deberíamos vernos el lunes.', '1');
  desk.say('¿Me puedes mandar el informe?', '2');
  await desk.pass();
  t.equal(desk.requests.length, 1, 'asked for at once');
  t.match(desk.told, [{ kind: 'translated', segments: [{ id: '2' }] }]);
  t.equal(desk.table.total('translations_failed_total'), 1);
});

t.test('stores translations that arrive after the shard has left the conversation', async (t) => {
  const desk = new Desk();
  let answer: () => void = () => undefined;
  desk.answer = (request) => new Promise((resolve) => (answer = () => void english(request).then(resolve)));
  desk.say('Deberíamos vernos el lunes.', '1');
  await desk.pass();
  desk.say('Deberíamos vernos el lunes. Y', '1');
  desk.translations.receive({ kind: 'left', conversation: 'of ann' }, desk.shard);
  answer();
  await desk.pass(0);
  t.match(desk.stored, [{ uid: 'ann', conversation: 'of ann', segments: [{ id: '1' }] }]);
  t.same(desk.told, []);
  await desk.pass();
  answer();
  await desk.pass(0);
  t.equal(desk.stored.length, 2, 'the unfinished end is translated unchanged');
  desk.translations.receive(
    { kind: 'late', uid: 'ann', conversation: 'of ann', segments: desk.stored[0]!.segments },
    desk.shard,
  );
  await desk.pass(0);
  t.equal(desk.stored.length, 3, 'translations that the shard could not apply are stored, too');
  t.ok(desk.translations.idle);
});

t.test('stores the translations of a shard that ended', async (t) => {
  const desk = new Desk();
  desk.say('Deberíamos vernos el lunes', '1');
  desk.translations.forget(desk.shard);
  await desk.pass();
  t.match(desk.stored, [{ conversation: 'of ann' }]);
});

t.test('reports a user without translations and sends no request', async (t) => {
  const desk = new Desk();
  desk.target = null;
  desk.say('Deberíamos vernos el lunes.', '1');
  desk.say('Y', '2');
  await desk.pass();
  t.same(desk.told, [{ kind: 'unwanted', conversation: 'of ann' }]);
  t.same(desk.requests, []);
  t.ok(desk.translations.idle);
});

t.test('does not translate a removed segment', async (t) => {
  const desk = new Desk();
  desk.say('Deberíamos vernos', '1');
  desk.say('Deberíamos vernos el lunes a las ocho.', '2', 'ann', ['1']);
  await desk.pass();
  t.same(desk.requests[0]?.sentences, ['Deberíamos vernos el lunes a las ocho.']);
});

t.test('splits a long text into requests of limited size', async (t) => {
  const desk = new Desk();
  const sentences = Array.from({ length: 130 }, (_, index) => `Deberíamos vernos el lunes ${index}.`);
  desk.say(sentences.join(' '));
  await desk.pass();
  t.same(
    desk.requests.map((request) => request.sentences.length),
    [100, 30],
  );
});

/** Tests what `bench words` reports about late words: the causes of their lags, from the log of the engine. */
import t from 'tap';
import { answersOf } from '../../../bench/words/answers.js';
import type { ShownWord } from '../../../bench/words/shown-words.js';
import { type Answer, lateWords, type WordWait, waitOf } from '../../../bench/words/waits.js';
import { FakeProvider } from '../../engine/support/fake-provider.js';
import { Harness, silence, speech } from '../../engine/support/harness.js';

const never = Number.POSITIVE_INFINITY;

/**
 * Returns an answer about the audio from the start of a stream to `asked` ms. The request waited 50 ms in the queue,
 * and decoding took 100 ms.
 */
const answer = (asked: number, more: Partial<Answer> = {}): Answer => {
  const answered = more.answered ?? asked + 150;
  return {
    interim: true,
    from: 0,
    to: asked,
    reached: asked,
    outcome: 'success',
    looped: false,
    asked,
    answered,
    used: answered,
    waited: 50,
    decoded: 100,
    ...more,
  };
};
const final = (asked: number, more: Partial<Answer> = {}): Answer =>
  answer(asked, { interim: false, ...more });

/** Returns a word that ends at 1000 ms. */
const word = (since: number, covered = never): ShownWord => ({ end: 1000, since, covered });

t.test('divides the lag of a word among the causes', async (t) => {
  for (const { title, shown, answers, parts, cause, utterance } of [
    {
      title: 'one text shows it',
      shown: word(2200),
      answers: [answer(2000)],
      parts: { request: 1000, queue: 50, decoding: 100, delivery: 50 },
      cause: 'request',
    },
    {
      title: 'the second text shows it',
      shown: word(2700),
      answers: [answer(1500), answer(2500)],
      parts: { request: 500, agreement: 1000, queue: 50, decoding: 100, delivery: 50 },
      cause: 'agreement',
    },
    {
      title: 'texts that ended early, were empty, repeated themselves or were never made',
      shown: word(5700),
      answers: [
        answer(1500, { reached: 600 }),
        answer(2500, { looped: true }),
        answer(3500, { outcome: 'upstream_error', waited: 0, decoded: 0, answered: 4500 }),
        answer(4500, { outcome: 'empty_unexpected', reached: undefined }),
        answer(5500),
      ],
      parts: {
        request: 500,
        missing: 2000,
        looped: 1000,
        replaced: 1000,
        queue: 50,
        decoding: 100,
        delivery: 50,
      },
      cause: 'missing',
    },
    {
      title: 'the final text corrects it',
      shown: word(8300, 1700),
      answers: [answer(1500), answer(2500), final(8000, { to: 7800 })],
      parts: { request: 500, agreement: 200, final: 6300, queue: 50, decoding: 100, delivery: 150 },
      cause: 'final',
      utterance: 7800,
    },
    {
      title: 'a later provisional text corrects it',
      shown: word(3700, 1700),
      answers: [answer(1500), answer(2500), answer(3500), final(8000, { to: 7800 })],
      parts: { request: 500, agreement: 200, later: 1800, queue: 50, decoding: 100, delivery: 50 },
      cause: 'later',
      utterance: 7800,
    },
    {
      title: 'the final words wait for those of an earlier utterance',
      shown: word(4000),
      answers: [final(1500, { used: 3900 })],
      parts: { request: 500, queue: 50, decoding: 100, order: 2250, delivery: 100 },
      cause: 'order',
      utterance: 1500,
    },
    {
      title: 'a long queue',
      shown: word(4500),
      answers: [answer(1500, { answered: 4400, waited: 2800 })],
      parts: { request: 500, queue: 2800, decoding: 100, delivery: 100 },
      cause: 'queue',
    },
    {
      title: 'a slow client or database',
      shown: word(9000),
      answers: [answer(1500)],
      parts: { request: 500, queue: 50, decoding: 100, delivery: 7350 },
      cause: 'delivery',
    },
    {
      title: 'answers about other speech do not count',
      shown: word(2200),
      answers: [answer(600), answer(1800, { from: 1200 }), answer(2000)],
      parts: { request: 1000, queue: 50, decoding: 100, delivery: 50 },
      cause: 'request',
    },
    {
      title: 'shown before its end',
      shown: word(900),
      answers: [answer(800)],
      parts: {},
      cause: 'delivery',
    },
    {
      title: 'nothing was logged',
      shown: word(2200),
      answers: [],
      parts: { request: 1200 },
      cause: 'request',
    },
  ]) {
    for (const order of [answers, [...answers].reverse()]) {
      const found = waitOf(shown, order);
      t.same(Object.fromEntries(found.parts), parts, title);
      t.equal(found.cause, cause, title);
      t.equal(found.longest, Math.max(0, ...Object.values<number>(parts)), title);
      t.equal(found.lag, shown.since - shown.end, title);
      t.equal(found.utterance, utterance, title);
    }
  }
});

t.test('groups the slowest words by cause', async (t) => {
  const waitsFor = (cause: WordWait['cause'], lag: number, utterance?: number): WordWait => ({
    parts: new Map([[cause, lag - 100]]),
    cause,
    longest: lag - 100,
    lag,
    utterance,
  });
  const words = [
    waitsFor('final', 7000, 9000),
    waitsFor('agreement', 6000),
    waitsFor('final', 5000, 7000),
    waitsFor('final', 3000, 5000),
    ...Array.from({ length: 96 }, () => waitsFor('request', 1000)),
  ];
  const one = {
    cause: 'final',
    words: 1,
    medianWait: 6900,
    maxWait: 6900,
    medianLag: 7000,
    medianUtterance: 9000,
  };
  t.same(lateWords(words, 1), [one]);
  t.same(lateWords(words.slice(0, 5), 1), [one], 'at least one');
  t.same(lateWords(words, 4), [
    { cause: 'final', words: 3, medianWait: 4900, maxWait: 6900, medianLag: 5000, medianUtterance: 7000 },
    {
      cause: 'agreement',
      words: 1,
      medianWait: 5900,
      maxWait: 5900,
      medianLag: 6000,
      medianUtterance: undefined,
    },
  ]);
  t.same(lateWords([], 1), []);
});

t.test('reads the answers from the log of the engine, which contains no words', async (t) => {
  const lines: string[] = [];
  const provider = new FakeProvider('local', ['en'], true);
  provider.manual = true;
  const h = new Harness({
    providers: [provider],
    settings: { interimWords: true },
    log: (line) => lines.push(line),
  });
  await h.open(0);
  h.stream(0, speech(7, 50));
  h.clock.now += 250;
  const words = [{ text: 'Secretive', start: 100, end: 900 }];
  h.provider.held.shift()!.answer({ text: 'Secretive', words, waited: 30, decoded: 70 });
  await h.tick(0);
  h.stream(0, silence(35));
  await h.settle();
  const held = h.provider.held.splice(0).find(({ request }) => !request.interim);
  h.clock.now += 400;
  held!.answer({ text: 'Secretive', waited: 40, decoded: 80 });
  await h.tick(0);
  const log = lines.join('');
  t.notMatch(log, /secretive/i);
  const [interim, last, ...more] = answersOf(`no JSON\n${log}{"msg":"speech transcribed"`, 'stream-0-0', 0);
  t.same(more, []);
  t.same([interim!.interim, last!.interim], [true, false]);
  t.match(interim, {
    outcome: 'success',
    looped: false,
    waited: 30,
    decoded: 70,
    reached: interim!.from + 900,
  });
  t.match(last, { outcome: 'success', looped: false, waited: 40, decoded: 80, reached: undefined });
  t.equal(interim!.answered - interim!.asked, 250, 'from the request to the answer');
  t.equal(last!.answered - last!.asked, 400, 'from the end of the utterance to the answer');
  t.equal(last!.used, last!.answered);
  t.same([interim!.from, interim!.to], [0, 1000]);
  t.same([last!.from, last!.to], [0, 1000]);
  t.same(answersOf(log, 'another', 0), []);
});

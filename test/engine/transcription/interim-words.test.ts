/** Tests provisional words: what a client sees, which rows are stored, and that only the final words remain. */
import fc from 'fast-check';
import t from 'tap';
import type { Utterance } from '../../../src/audio/interface/core.js';
import { AssignedSpeakers } from '../../../src/engine/conversation/assigned-speakers.js';
import { noEarlierSegments } from '../../../src/engine/conversation/earlier-segments.js';
import { Transcript } from '../../../src/engine/conversation/transcript.js';
import { InterimWords } from '../../../src/engine/transcription/interim-words.js';
import {
  agreedWords,
  beginningOfPart,
  furtherWords,
  wordsAfter,
} from '../../../src/engine/transcription/newest-part.js';
import type { UtteranceResult } from '../../../src/stt/shared/provider.js';
import { Agreement } from '../../../src/transcript/agreement.js';
import type { SpokenSegment } from '../../../src/transcript/spoken.js';
import type { StoredSegment } from '../../../src/wire/segment.js';
import { spokenProbability } from '../support/fake-core.js';
import { FakeProvider } from '../support/fake-provider.js';
import { Harness, silence, speech } from '../support/harness.js';

/** Makes a shard whose provider sends interim words. The test decides when the provider answers. */
const start = async (interimWords = true): Promise<Harness> => {
  const provider = new FakeProvider('local', ['en'], true);
  provider.manual = true;
  const h = new Harness({ providers: [provider], settings: { interimWords } });
  await h.open(0);
  return h;
};

/** Answers the request for the final words. Earlier requests remain unanswered. */
const answerEnd = async (h: Harness, text: string, more: object = {}): Promise<void> => {
  await h.settle();
  const end = h.provider.held.splice(0).find(({ request }) => !request.interim);
  end!.answer({ text, ...more });
  await h.tick(0);
};

/** Answers the oldest waiting request. */
const answer = async (h: Harness, text: string, more: object = {}): Promise<void> => {
  h.provider.held.shift()!.answer({ text, ...more });
  await h.tick(0);
};

const texts = (h: Harness): string[] => h.segments(0).map(({ text }) => text);

t.test(
  'shows words that two texts agree on, all words at a pause, and transcribes them only once',
  async (t) => {
    const h = await start();
    h.stream(0, speech(7, 50));
    t.equal(h.provider.held[0]!.request.interim, true);
    await answer(h, 'What is set');
    t.same(texts(h), [], 'one text is no agreement');
    h.stream(0, speech(7, 50));
    await answer(h, 'what is said here now');
    t.same(texts(h), ['what is']);
    const [{ id } = { id: '' }] = h.segments(0);
    h.stream(0, speech(7, 50));
    await answer(h, 'word word word word', { looped: true });
    t.same(texts(h), ['what is'], 'a text that repeats itself counts for nothing');
    h.stream(0, silence(10));
    await answer(h, 'What is said here now.', { model: 'whisper-base' });
    t.same(texts(h), ['What is said here now.'], 'all of it');
    h.stream(0, silence(25));
    t.equal(h.provider.held.length, 0, 'nothing more is asked');
    await h.tick();
    t.same(texts(h), ['What is said here now.']);
    t.equal(h.segments(0)[0]!.id, id, 'in the same segment');
    t.equal(h.metric('interim_requests_total'), 4);
    t.equal(h.metric('interim_reused_total'), 1);
    t.equal(
      h.metric('transcriber_model_utterances_total{model="whisper-base"}'),
      1,
      'and counted for its model',
    );
  },
);

t.test('counts the delay of final words by provider', async (t) => {
  const h = await start();
  const late = () => h.distribution('provider_final_words_seconds{provider="local"}');
  const count = (): number => late().counts.reduce((sum, one) => sum + one, 0);
  h.stream(0, [...speech(7), ...silence(35)]);
  await h.settle();
  h.clock.now += 1500;
  await answerEnd(h, 'Said.');
  t.equal(count(), 1);
  t.ok(Math.abs(late().sum - 1.5) < 0.000_05, `${late().sum} s`);
  h.stream(0, [...speech(7), ...silence(35)]);
  await answerEnd(h, '', { outcome: 'empty_unexpected' });
  t.equal(count(), 1, 'no words, nothing to count');
});

t.test('shows a word after one text if a second of audio follows it', async (t) => {
  const h = await start();
  h.stream(0, speech(7, 50));
  const { request } = h.provider.held[0]!;
  const length = request.pcm.length / 16;
  const words = [
    { text: 'What', start: 0, end: length - 1500 },
    { text: 'is', start: length - 1500, end: length - 1000 },
    { text: 'set', start: length - 1000, end: length - 999 },
  ];
  // The local provider transfers the samples to another thread. So they are no longer in this thread when the answer arrives.
  structuredClone(request.pcm, { transfer: [request.pcm.buffer as ArrayBuffer] });
  t.equal(request.pcm.length, 0);
  await answer(h, 'What is set', { words });
  t.same(texts(h), ['What is']);
});

t.test('uses a running transcription when the utterance ends', async (t) => {
  const h = await start();
  h.stream(0, [...speech(7), ...silence(35)]);
  await h.settle();
  const [interim, final] = h.provider.held;
  t.notOk(final!.request.interim);
  t.equal(
    final!.request.detected,
    spokenProbability,
    'the decoder learns how surely the detector found speech',
  );
  t.equal(final!.request.instead, interim!.request.id);
  h.provider.held.shift();
  await answer(h, 'Said.');
  t.same(texts(h), ['Said.']);
  interim!.answer({ text: 'Late.' });
  await h.tick();
  t.same(texts(h), ['Said.'], 'what comes late shows nothing');
});

t.test('adds provisional words after final ones, and removes them if they are not confirmed', async (t) => {
  const h = await start();
  h.stream(0, [...speech(7), ...silence(35)]);
  await answerEnd(h, 'We went home');
  const [{ id } = { id: '' }] = h.segments(0);
  h.stream(0, [...speech(7), ...silence(10)]);
  await answer(h, 'and slept.');
  t.same(texts(h), ['We went home and slept.'], 'joined as final words would be');
  h.stream(0, [...speech(7), ...silence(35)]);
  await answerEnd(h, '', { outcome: 'empty_unexpected' });
  t.same(texts(h), ['We went home']);
  t.equal(h.segments(0)[0]!.id, id);
  h.stream(0, [...speech(7), ...silence(10)]);
  await answer(h, 'Hello.');
  t.same(texts(h), ['We went home Hello.']);
  // More speech follows, so that the words before the pause are not the last words.
  h.stream(0, speech(7));
  h.close(0);
  await answerEnd(h, '', { outcome: 'upstream_error', retained: 'key' });
  await h.tick();
  t.same(h.journal.texts(h.conversationId(0)), ['We went home'], 'what is retained is not stored, too');
});

t.test('stores words before it sends them', async (t) => {
  const h = await start();
  h.journal.hold();
  h.stream(0, [...speech(7), ...silence(10)]);
  h.provider.held.shift()!.answer({ text: 'Said.' });
  await h.settle();
  const ticking = h.shard.tick();
  await h.settle();
  t.same(texts(h), []);
  h.journal.resume();
  await ticking;
  await h.settle();
  t.same(texts(h), ['Said.']);
});

t.test('INTERIM_WORDS=false requests no provisional words', async (t) => {
  const h = await start(false);
  h.stream(0, [...speech(7, 100), ...silence(10)]);
  t.equal(h.provider.held.length, 0);
  h.stream(0, silence(25));
  await h.settle();
  t.equal(h.provider.held.length, 1);
});

t.test('finds the words that two texts agree on', async (t) => {
  const cases: readonly {
    title: string;
    texts: readonly (readonly [text: string, whole: boolean, settled?: number])[];
    shown: readonly (string | null)[];
  }[] = [
    {
      title: 'grows',
      texts: [
        ['a b', false],
        ['A b, c', false],
        ['a b c d', false],
      ],
      shown: [null, 'A b,', 'a b c'],
    },
    {
      title: 'never shrinks',
      texts: [
        ['a b c', true],
        ['a b', false],
        ['a b', false],
      ],
      shown: ['a b c', null, null],
    },
    {
      title: 'corrects',
      texts: [
        ['a b', true],
        ['a c d', false],
        ['a c d e', false],
      ],
      shown: ['a b', null, 'a c d'],
    },
    {
      title: 'shows all at a pause',
      texts: [
        ['a', true],
        ['a b', true],
        ['a b', true],
      ],
      shown: ['a', 'a b', null],
    },
    {
      title: 'nothing',
      texts: [
        ['a', false],
        ['b', false],
      ],
      shown: [null, null],
    },
    {
      title: 'one text is enough for what has audio behind it',
      texts: [
        ['a b c', false, 2],
        ['a b c d e', false, 4],
      ],
      shown: ['a b', 'a b c d'],
    },
    {
      title: 'one text that differs from what is shown takes nothing back',
      texts: [
        ['a b c', false, 2],
        ['a x c d e', false, 4],
        ['a x c d e f', false, 4],
      ],
      shown: ['a b', null, 'a x c d e'],
    },
    {
      title: 'a text that stops early does not hold up the next one',
      texts: [
        ['a b c d', false, 3],
        ['a b', false, 2],
        ['a b c d e f', false, 5],
      ],
      shown: ['a b c', null, 'a b c d e'],
    },
  ];
  for (const { title, texts, shown } of cases) {
    const agreement = new Agreement();
    t.same(
      texts.map(([text, whole, settled]) => {
        const words = text.split(' ');
        const count = agreement.take(words, whole, settled);
        return count === undefined ? null : words.slice(0, count).join(' ');
      }),
      shown,
      title,
    );
  }
});

/** Simulates the stored rows of one transcript. A revision that is not larger has no effect. */
class Store {
  readonly rows = new Map<string, StoredSegment | { readonly revision: number }>();
  readonly transcript = new Transcript({
    startedAt: 0,
    segmentCount: 0,
    characters: 0,
    tail: null,
  } as ConstructorParameters<typeof Transcript>[0]);
  readonly #speakers = new AssignedSpeakers();

  /** Writes segments. @param isStored false: another engine owns the conversation, and nothing is written. */
  put(final: readonly SpokenSegment[], provisional: readonly SpokenSegment[], isStored: boolean): void {
    const draft = this.transcript.draft(final, this.#speakers, noEarlierSegments, null, provisional);
    if (!isStored) {
      draft.undo();
      return;
    }
    for (const upsert of draft.upserts) {
      const before = this.rows.get(upsert.segment.id)?.revision ?? 0;
      if (upsert.revision <= before) throw new Error('a change that the database would not take');
      this.rows.set(upsert.segment.id, upsert);
    }
    for (const { id, revision } of draft.deletions) {
      const before = this.rows.get(id)?.revision ?? 0;
      if (revision <= before) throw new Error('a deletion that the database would not take');
      this.rows.set(id, { revision });
    }
    this.transcript.accept(draft);
  }

  get kept(): unknown[] {
    return [...this.rows.values()]
      .filter((row): row is StoredSegment => 'segment' in row)
      .sort((a, b) => a.position - b.position)
      .map(({ segment, position }) => ({ segment, position }));
  }
}

const words = fc.array(fc.constantFrom('We', 'went', 'home', 'and', 'slept.', 'Then', 'you', 'left?'), {
  minLength: 1,
  maxLength: 6,
});
const step = fc.record({
  /** For each interim result: the voice, and the number of words. */
  shows: fc.array(fc.tuple(fc.nat(1), words), { maxLength: 2 }),
  /** For an utterance that ends: its voice, and the number of its final words. */
  ends: fc.option(fc.tuple(fc.nat(1), words, fc.boolean())),
  stored: fc.integer({ min: 0, max: 9 }).map((chance) => chance > 0),
});

t.test('stores the same final words as without provisional words', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const shown = new Store();
      const plain = new Store();
      const open = new Map<number, SpokenSegment>();
      let pending: SpokenSegment[] = [];
      let clock = 0;
      const utterances = [0, 0];
      const spoken = (voice: number, text: readonly string[]): SpokenSegment => ({
        id: `${voice}-${utterances[voice]}`,
        text: text.join(' '),
        speaker: `SPEAKER_0${voice}`,
        speakerId: voice,
        isUser: false,
        personId: null,
        provider: 'local',
        from: clock,
        to: clock + 900,
      });
      for (const { shows, ends, stored } of steps) {
        clock += 1000;
        for (const [voice, text] of shows)
          open.set(voice, { ...spoken(voice, text), from: open.get(voice)?.from ?? clock });
        if (ends) {
          const [voice, text, isEmpty] = ends;
          const from = open.get(voice)?.from ?? clock;
          if (!isEmpty) pending.push({ ...spoken(voice, text), from });
          open.delete(voice);
          utterances[voice]!++;
        }
        shown.put(pending, [...open.values()], stored);
        if (stored) {
          plain.put(pending, [], true);
          pending = [];
        }
      }
      shown.put(pending, [], true);
      plain.put(pending, [], true);
      if (JSON.stringify(shown.kept) !== JSON.stringify(plain.kept))
        throw new Error(`${JSON.stringify(shown.kept)} is not ${JSON.stringify(plain.kept)}`);
      if (shown.transcript.length !== shown.kept.length) throw new Error('segments are miscounted');
    }),
    { numRuns: 500 },
  );
  t.pass('of any order of words shown, corrected, taken back and final, stored or refused');
});

const timed = (text: string, from = 0, each = 300): { text: string; start: number; end: number }[] =>
  text
    .split(' ')
    .map((word, index) => ({ text: word, start: from + each * index, end: from + each * index + 250 }));

t.test('finds the further words of a text that differs from the shown words', async (t) => {
  const shown = timed('a b c d');
  const cases: [text: string, from: number, further: string | null, why: string][] = [
    ['b c d e f', 300, 'e f', 'the last two words are there'],
    ['x C, D. e', 300, 'e', 'case and punctuation are not compared'],
    ['c d', 600, '', 'nothing follows'],
    ['c d e', 1300, null, 'at another time'],
    ['x d e', 600, null, 'one word is not enough'],
    ['d', 900, null, 'shorter than that'],
    ['c d x c d e', 600, 'x c d e', 'said twice: where it was'],
    ['b c x e', 300, 'e', 'a word that is heard otherwise holds up none'],
    ['a b x y e f', 0, 'e f', 'nor do two'],
    ['a x c y e', 0, null, 'two words that do not follow each other are not enough'],
  ];
  for (const [text, from, further, why] of cases) {
    const found = furtherWords(shown, timed(text, from));
    t.equal(found === undefined ? null : found.map((word) => word.text).join(' '), further, why);
  }
  t.equal(furtherWords(timed('a'), timed('a b')), undefined);
  t.equal(furtherWords(timed('a b c d e f g'), timed('a b x x x x x h')), undefined, 'that is too long ago');
});

t.test('finds the start of the newest part of an utterance', async (t) => {
  t.equal(beginningOfPart([]), 0);
  t.equal(beginningOfPart(timed('a b c d e f g h')), 0, 'too little is shown');
  const words = timed(Array.from({ length: 20 }, (_, index) => `w${index}`).join(' '));
  t.equal(beginningOfPart(words), 11 * 300 - 60, '2.5 s of what is shown, and 60 ms');
  const later = (index: number): number => (index >= 9 ? 200 : 0);
  const paused = words.map(({ text, start, end }, index) => ({
    text,
    start: start + later(index),
    end: end + later(index),
  }));
  t.equal(beginningOfPart(paused), 9 * 300 + 200 - 60, 'behind a pause, where there is one');
});

t.test('transcribes only the newest part of a long utterance and adds it to the shown words', async (t) => {
  const h = await start();
  h.stream(0, speech(7, 50));
  const seconds = (): number => h.provider.held[0]!.request.pcm.length / 16_000;
  const say = async (text: string, from: number): Promise<void> =>
    answer(h, text, { words: timed(text, from) });
  const first = 'a b c d e f g h i j k l m n o p q r s t';
  // Sends more speech, with a request for each second. Each request replaces the previous one.
  const more = async (): Promise<void> => {
    h.stream(0, speech(7, 50));
    await h.settle();
    while (h.provider.held.length > 1)
      h.provider.held.shift()!.answer({ text: '', outcome: 'upstream_error' });
  };
  for (let times = 0; times < 7; times++) await more();
  const whole = seconds();
  t.ok(whole > 6, `${whole} s`);
  await say(first, 0);
  t.same(texts(h), [first], 'the words with a second behind them');
  await more();
  t.ok(seconds() < whole - 1, `from a word that is shown on: ${seconds()} s`);
  await say('x r s t u v', 16 * 300 - (11 * 300 - 60));
  t.same(texts(h), [`${first} u v`]);
  await more();
  await say('not at all the same', 0);
  t.same(texts(h), [`${first} u v`], 'what is shown stays');
  await more();
  t.ok(seconds() > whole, 'then all of it is transcribed');
});

t.test('transcribes the whole utterance after a part in which no words were found', async (t) => {
  for (const { title, found } of [
    { title: 'an empty part', found: { text: '', outcome: 'empty_unexpected' } },
    { title: 'a part whose text repeats itself', found: { text: 'u u u u', looped: true } },
  ] as const) {
    const h = await start();
    const shown = 'a b c d e f g h i j k l m n o p q r s t';
    const more = async (): Promise<number> => {
      h.stream(0, speech(7, 50));
      await h.settle();
      while (h.provider.held.length > 1)
        h.provider.held.shift()!.answer({ text: '', outcome: 'upstream_error' });
      return h.provider.held[0]!.request.pcm.length / 16_000;
    };
    let whole = 0;
    for (let times = 0; times < 8; times++) whole = await more();
    await answer(h, shown, { words: timed(shown) });
    t.ok((await more()) < whole, `${title}: only the newest part is requested`);
    await answer(h, found.text, found);
    t.same(texts(h), [shown], title);
    t.ok((await more()) > whole, `${title}: then the whole utterance`);
  }
});

t.test('two texts that agree show the words of a part before a second of audio follows them', async (t) => {
  const before = timed('c d e f x');
  for (const [text, settled, count, why] of [
    ['c d e f g', 2, 4, 'up to the first word that differs'],
    ['c D, E. f', 0, 4, 'case and punctuation are not compared'],
    ['c d e f g', 5, 5, 'settled words need no second text'],
    ['x d e f', 0, 0, 'nothing after a word that differs'],
    ['x d e f', 1, 4, 'unless that word is settled'],
  ] as const)
    t.equal(agreedWords(timed(text), before, settled), count, why);
  t.equal(agreedWords(timed('c d e', 300), before, 0), 0, 'the same words at another time');
  t.equal(agreedWords(timed('c d e'), [], 1), 1, 'no text before');
});

t.test('divides words at the end of a cut utterance', async (t) => {
  const shown = timed('a b c d');
  for (const [moment, kept, starts] of [
    [5000, 'a b c d', []],
    [600, 'a b', [0, 300]],
    [800, 'a b c', [100]],
    [700, 'a b', [0, 200]],
    [0, '', [0, 300, 600, 900]],
  ] as const) {
    const { kept: before, further } = wordsAfter(shown, moment);
    t.equal(before.map(({ text }) => text).join(' '), kept, `${moment} ms`);
    t.same(
      further.map((word) => word.start),
      starts,
      `${moment} ms`,
    );
  }
});

/**
 * Makes an `InterimWords`. @returns it, the words that it shows by id, and a function that answers its newest request.
 */
const interim = () => {
  const shown = new Map<string, { text: string; at: number }>();
  const requests: ((result: Partial<UtteranceResult>) => void)[] = [];
  const words = new InterimWords({
    ask: () => ({
      id: requests.length,
      result: new Promise((resolve) => {
        const base: UtteranceResult = {
          id: 0,
          outcome: 'success',
          text: '',
          provider: 'local',
          waited: 0,
          decoded: 0,
        };
        requests.push((result) => resolve({ ...base, ...result }));
      }),
    }),
    show: (id, { text }, count, { speechStart }) =>
      void shown.set(id, { text: text.split(' ').slice(0, count).join(' '), at: speechStart }),
    withdraw: (id) => void shown.delete(id),
    settled: 1000,
    whole: 6000,
  });
  const told = async (text: string): Promise<void> => {
    requests.at(-1)!({ text, words: timed(text) });
    await new Promise(setImmediate);
  };
  return { words, shown, told };
};

/** Makes an utterance of some ms that begins at a sample and contains only speech. */
const spoken = (start: number, length: number, cut = false): Utterance => ({
  pcm: new Int16Array(length * 16),
  start,
  speechStart: start,
  speechEnd: start + length * 16,
  cut,
  probability: 1,
});

t.test('keeps the words after the end of a cut utterance for the next one', async (t) => {
  const { words, shown, told } = interim();
  words.due(spoken(0, 3000), false);
  await told('a b c d e f');
  words.due(spoken(0, 3100), false);
  await told('a b c d e f');
  const ended = words.end(spoken(0, 1200, true));
  t.same(
    [...shown.values()],
    [
      { text: 'a b c d', at: 0 },
      { text: 'e f', at: 1200 * 16 },
    ],
  );
  words.due(spoken(1200 * 16, 2000), false);
  await told('e f g h');
  t.same(
    [...shown.values()].map(({ text }) => text),
    ['a b c d', 'e f g'],
  );
  const [first, second] = [...shown.keys()];
  t.equal(ended.id, first);
  t.equal(words.end(spoken(1200 * 16, 2000)).id, second, 'the final words get the same id');
});

t.test('withdraws the words after a cut utterance if another utterance follows', async (t) => {
  for (const next of ['opens', 'ends'] as const) {
    const { words, shown, told } = interim();
    words.due(spoken(0, 3000), false);
    await told('a b c d e f');
    words.due(spoken(0, 3100), false);
    await told('a b c d e f');
    words.end(spoken(0, 1200, true));
    t.equal(shown.size, 2);
    if (next === 'opens') words.due(spoken(50_000, 1000), false);
    else words.end(spoken(50_000, 1000));
    t.same(
      [...shown.values()].map(({ text }) => text),
      ['a b c d'],
      next,
    );
  }
});

t.test('an utterance that ends in silence, or with all its words, leaves none to the next one', async (t) => {
  for (const { cut, length, title } of [
    { cut: false, length: 1200, title: 'in silence' },
    { cut: true, length: 3000, title: 'with all its words' },
    { cut: true, length: 0, title: 'before its first word' },
  ]) {
    const { words, shown, told } = interim();
    words.due(spoken(0, 3000), false);
    await told('a b c d e f');
    const { size } = shown;
    words.end(spoken(0, length, cut));
    t.equal(shown.size, size, title);
  }
});

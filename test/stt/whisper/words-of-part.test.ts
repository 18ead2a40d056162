/** Tests the words of audio that the model processes at once. Speech after the end of a text must be recognised, too. */
import t from 'tap';
import { type Recognised, wordsOfPart } from '../../../src/stt/whisper/words-of-part.js';

const rate = 16_000;

/** Returns words of 300 ms each. The last word ends at `end` seconds of the recognised audio. */
const said = (text: string, end: number, cutOff = false): Recognised => {
  const words = text === '' ? [] : text.split(' ');
  const tokens = words.map((word) => ` ${word}`);
  const timestamps = words.map((_, index) => end - 0.3 * (words.length - index));
  return { text, tokens, cutOff, timestamps, durations: words.map(() => 0.3) };
};

/** Makes a recogniser that returns `answers` one after the other. It records the length of each input in seconds. */
const recogniser = (answers: readonly Recognised[]) => {
  const given: number[] = [];
  const recognise = async (samples: Float32Array): Promise<Recognised> => {
    given.push(samples.length / rate);
    return answers[given.length - 1]!;
  };
  return { given, recognise };
};

/** Returns noise that is silent from `from` to `to` seconds. */
const audio = (seconds: number, from = 0, to = 0): Int16Array =>
  Int16Array.from({ length: seconds * rate }, (_, index) =>
    index >= from * rate && index < to * rate ? 0 : 1000 * (index % 2 ? 1 : -1),
  );

const loop = 'a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a';

t.test('continues a text that ends before the speech', async (t) => {
  const cases: {
    title: string;
    answers: readonly Recognised[];
    text: string;
    tries: number;
    repeated?: number;
    looped?: boolean;
  }[] = [
    { title: 'the text reaches the end of the speech', answers: [said('a b', 4.5)], text: 'a b', tries: 1 },
    { title: 'the text ends early', answers: [said('a b', 2), said('c d', 2.5)], text: 'a b c d', tries: 2 },
    {
      title: 'each further text ends early, too',
      answers: [said('a', 1), said('b', 1), said('c', 1), said('d', 0.3), said('e', 1)],
      text: 'a b c d',
      tries: 4,
    },
    {
      title: 'the rest repeats the last words',
      answers: [said('Come here, Ladies,', 1), said('here. Ladies', 1)],
      text: 'Come here, Ladies,',
      tries: 2,
    },
    { title: 'the rest has no words', answers: [said('a b', 2), said('', 0)], text: 'a b', tries: 2 },
    {
      title: 'the rest is not recognised',
      answers: [said('a b', 2), said(loop, 2.5), said(loop, 2.5)],
      text: 'a b',
      tries: 3,
      repeated: 1,
    },
    {
      title: 'a looping text is not continued',
      answers: [said(loop, 1), said(loop, 1)],
      text: 'a',
      tries: 2,
      repeated: 1,
      looped: true,
    },
    {
      title: 'a text without times is not continued',
      answers: [{ text: 'a b', tokens: [' a', ' b'], cutOff: false }],
      text: 'a b',
      tries: 1,
    },
    { title: 'no words', answers: [said('', 0)], text: '', tries: 1 },
    {
      title: 'a text that was cut off is decoded again and may then end normally',
      answers: [said('a b c', 4.5, true), said('a b', 4.5)],
      text: 'a b',
      tries: 2,
      repeated: 1,
    },
    {
      title: 'a text that is cut off twice is shortened at its loop',
      answers: [said('a b c', 2, true), said('d a b a b a b', 2, true)],
      text: 'd a b',
      tries: 2,
      repeated: 1,
      looped: true,
    },
    {
      title: 'a loop where there may be no speech',
      answers: [said(loop, 4), { ...said(loop, 4), doubtful: true }],
      text: '',
      tries: 2,
      repeated: 1,
      looped: true,
    },
    {
      title: 'a loop where there may be no speech, and nothing in the second try',
      answers: [{ ...said(loop, 4), doubtful: true }, said('', 0)],
      text: '',
      tries: 2,
      repeated: 1,
      looped: true,
    },
    {
      title: 'a doubtful text that ends in the second try',
      answers: [
        { ...said(loop, 4), doubtful: true },
        { ...said('a b', 4.5), doubtful: true },
      ],
      text: 'a b',
      tries: 2,
      repeated: 1,
    },
    {
      title: 'a doubtful loop of which a few copies are left',
      answers: [{ ...said(loop, 4), doubtful: true }, said('a a a', 4.5)],
      text: '',
      tries: 2,
      repeated: 1,
      looped: true,
    },
    {
      title: 'a loop of speech of which a few copies are left',
      answers: [said(loop, 4), { ...said('a a a', 4.5), doubtful: true }],
      text: 'a a a',
      tries: 2,
      repeated: 1,
    },
  ];
  for (const { title, answers, text, tries, repeated = 0, looped = false } of cases) {
    const { given, recognise } = recogniser(answers);
    const found = await wordsOfPart(audio(5), recognise);
    t.match(found, { text, repeated, looped }, title);
    t.equal(given.length, tries, title);
  }
});

t.test('the rest begins at the quietest moment, and its words have times', async (t) => {
  const { given, recognise } = recogniser([said('a b', 2), said('c', 2.5)]);
  const { words } = await wordsOfPart(audio(5, 2.2, 2.3), recognise);
  const [, rest] = given;
  t.ok(rest! > 2.7 && rest! < 2.8, `${rest} s`);
  const end = Math.round((5 - rest! + 2.5) * 1000);
  t.same(
    words.map((word) => [word.text, word.end]),
    [
      ['a', 1700],
      ['b', 2000],
      ['c', end],
    ],
  );
});

t.test('places no word in the silence added for a second try', async (t) => {
  const { given, recognise } = recogniser([said(loop, 4), said('a b c', 5.5)]);
  const { words } = await wordsOfPart(audio(5), recognise);
  t.same(given, [5, 10]);
  t.same(
    words.map(({ start, end }) => [start, end]),
    [
      [4600, 4900],
      [4900, 5000],
      [5000, 5000],
    ],
  );
});

t.test("pads audio that is shorter than the recogniser's minimum", async (t) => {
  const { given, recognise } = recogniser([said('', 0)]);
  await wordsOfPart(new Int16Array(10), recognise);
  t.same(given, [0.1]);
});

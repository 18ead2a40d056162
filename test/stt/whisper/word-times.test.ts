/** Tests word times: how the tokens of a recogniser become the words of a text, and how a segment is split. */
import t from 'tap';
import { timedWords, timesOfText, wordsOfTokens } from '../../../src/stt/shared/word-times.js';
import { cutSegment, type SpokenSegment } from '../../../src/transcript/spoken.js';

/** Returns consecutive tokens. Each token is 0.1 s long. */
const timed = (...tokens: string[]) => ({
  tokens,
  timestamps: tokens.map((_, index) => index / 10),
  durations: tokens.map(() => 0.1),
});

t.test('joins tokens to words', async (t) => {
  t.same(wordsOfTokens(timed(' Mr', '.', ' Dash', 'wood', ',', ' had'), 1000), [
    { text: 'Mr.', start: 1000, end: 1100 },
    { text: 'Dashwood,', start: 1200, end: 1400 },
    { text: 'had', start: 1500, end: 1600 },
  ]);
  t.same(wordsOfTokens({ tokens: [' a'] }, 0), [], 'a recogniser that tells no times');
  t.same(wordsOfTokens({ tokens: [' a', ' b'], timestamps: [0], durations: [0.1] }, 0), [], 'or too few');
});

t.test('matches word times to an edited text', async (t) => {
  const words = wordsOfTokens(timed(' One', ' (', 'coughs', ')', ' two', ' three', ' three', ' three'), 0);
  for (const { text, times } of [
    { text: 'One two three three three', times: [0, 100, 400, 500, 500, 600, 600, 700, 700, 800] },
    { text: 'One two three', times: [0, 100, 400, 500, 500, 600] },
    { text: 'One four', times: [] },
    { text: 'two One', times: [] },
    { text: '', times: [] },
  ]) {
    t.same(timesOfText(text, words), times, text);
    if (times.length > 0) t.equal(timedWords(text, times).length, times.length / 2);
  }
  t.same(timedWords('One two', [0, 100, 400, 500]), [
    { text: 'One', start: 0, end: 100 },
    { text: 'two', start: 400, end: 500 },
  ]);
  t.same(timedWords('One two', [0, 100]), [], 'times of other words');
});

t.test('splits a long segment between words, with the times of its words', async (t) => {
  const spoken = Array.from({ length: 600 }, (_, index) => ({
    text: `word${index}`,
    from: index * 100,
    to: index * 100 + 50,
  }));
  const whole: SpokenSegment = {
    id: 'id',
    text: spoken.map(({ text }) => text).join(' '),
    speaker: 'SPEAKER_00',
    speakerId: 0,
    isUser: false,
    personId: null,
    provider: 'local',
    from: 0,
    to: 59_950,
    words: spoken,
  };
  const pieces = cutSegment(whole);
  t.ok(pieces.length > 1);
  t.same(
    pieces.flatMap(({ words }) => words),
    spoken,
    'no word is lost',
  );
  for (const { text, words, from, to } of pieces) {
    t.equal(text, words!.map((word) => word.text).join(' '));
    t.same([from, to], [words![0]!.from, words!.at(-1)!.to]);
  }
  const untimed = cutSegment({ ...whole, words: spoken.slice(1) });
  t.equal(untimed.length, pieces.length);
  t.notOk(
    untimed.some(({ words }) => words),
    'words that are not those of the text are of no use',
  );
});

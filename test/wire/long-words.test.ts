/** Tests subtitles of words that are longer than the window in which graphemes are found. */
import t from 'tap';
import { transcriptWriter } from '../../src/wire/exports/index.js';

const linesOf = (text: string): string[] =>
  transcriptWriter('vtt')
    .segment({ text, speaker_id: 0, speaker_name: 'Ann', start: 0, end: 60 })
    .split('\n')
    .filter((line) => line !== '' && !line.includes('-->'))
    .map((line) => line.replace(/<\/?v[^>]*>/g, ''));

t.test('long words keep all characters and divide between graphemes', async (t) => {
  const family = '👩‍👩‍👧';
  const words = ['a', 'é'.normalize('NFD'), family, '🇩🇪', '😀'].flatMap((unit) => [
    { unit, text: unit.repeat(3000) },
    { unit, text: `x${unit.repeat(3000)}` },
  ]);
  for (const { unit, text } of words) {
    const lines = linesOf(text);
    t.equal(lines.join(''), text, unit);
    const isWhole = (line: string): boolean => line.replace('x', '').replaceAll(unit, '') === '';
    t.ok(lines.every(isWhole), unit);
  }
});

t.test('a grapheme without end divides between characters', async (t) => {
  for (const text of [`e${'\u0301'.repeat(3000)}`, `😀${'\u{1f3fb}'.repeat(3000)}`]) {
    const lines = linesOf(text);
    t.equal(lines.join(''), text);
    t.ok(lines.every((line) => line.isWellFormed()));
  }
});

t.test('the segmenter gets no text longer than a window', async (t) => {
  const { segment } = Intl.Segmenter.prototype;
  const lengths: number[] = [];
  Intl.Segmenter.prototype.segment = function (this: Intl.Segmenter, text: string) {
    lengths.push(text.length);
    return segment.call(this, text);
  };
  t.teardown(() => {
    Intl.Segmenter.prototype.segment = segment;
  });
  linesOf('a'.repeat(100_000));
  t.ok(lengths.length > 0);
  t.ok(Math.max(...lengths) <= 1024);
});

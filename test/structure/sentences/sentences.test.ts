/**
 * Tests that sentences of comments and pages are easy to read. No sentence may be too long or use a construction that
 * refers to things in an unclear way.
 */
import t from 'tap';
import { commentsOf, type Source, sourcesOf, topPages } from './sources.js';
import {
  commentsOfCpp,
  commentsOfTypeScript,
  proseOfMarkdown,
  sentencesOf,
  type Text,
  wordsOf,
} from './texts.js';

const most = 30;
const construction = /\b(of which|as far as|anew|told of|taken for|what is no)\b/i;

const code = sourcesOf(['src', 'native', 'bench', 'test'], /\.(tsx?|mjs|js|cc|c|h|inc)$/);
const pages = sourcesOf(['docs', ...topPages], /\.md$/);

/** A sentence and the place where its text begins. */
interface Sentence {
  readonly place: string;
  readonly sentence: string;
}

const sentencesIn = (files: readonly Source[], texts: (file: Source) => Text[]): readonly Sentence[] =>
  files.flatMap((file) =>
    texts(file).flatMap(({ line, text }) =>
      sentencesOf(text).map((sentence) => ({ place: `${file.path}:${line}`, sentence })),
    ),
  );

const ofComments = sentencesIn(code, commentsOf);
const ofPages = sentencesIn(pages, ({ source }) => proseOfMarkdown(source));

const offences = (sentences: readonly Sentence[], isBad: (sentence: string) => boolean): string[] =>
  sentences
    .filter(({ sentence }) => isBad(sentence))
    .map(({ place, sentence }) => `${place}: ${sentence.slice(0, 120)}`);

const isLong = (sentence: string): boolean => wordsOf(sentence) > most;
const hasConstruction = (sentence: string): boolean => construction.test(sentence);

t.test('no sentence of a comment has more than 30 words', async (t) => {
  t.ok(code.length > 2000, 'files are found');
  t.same(offences(ofComments, isLong), []);
});

t.test('no sentence of a page has more than 30 words', async (t) => {
  t.ok(pages.length > 60, 'pages are found');
  t.same(offences(ofPages, isLong), []);
});

t.test('comments and pages do not use forbidden constructions', async (t) => {
  t.same(offences([...ofComments, ...ofPages], hasConstruction), []);
});

t.test('finds comments of code and prose of pages', async (t) => {
  const texts = (found: Text[]) =>
    found.map(({ line, text }) => `${line} ${text.replace(/\s+/g, ' ').trim()}`);
  t.same(
    texts(
      commentsOfTypeScript(
        "/** One.\n * Two. */\nconst a = '// none'; // behind\nconst b = `/* none */`;\n// first\n// second\nf(/x\\/\\/y/);\n",
      ),
    ),
    ['1 One. Two.', '3 behind', '5 first second'],
  );
  t.same(texts(commentsOfCpp('char a[] = "// none"; // behind\n/* block\n * more */\n')), [
    '1 behind',
    '2 block more',
  ]);
  t.same(
    texts(
      proseOfMarkdown(
        '# Head\n\nOne\ntwo `three of which`.\n\n- item\n- other\n  - files: a, b\n\n```\nquoted\n```\n',
      ),
    ),
    ['1 # Head', '3 One two `code`.', '6 - item', '7 - other'],
  );
});

t.test('recognises long sentences and forbidden constructions', async (t) => {
  const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}.`;
  t.notOk(isLong(words(most)));
  t.ok(isLong(words(most + 1)));
  t.equal(sentencesOf(`A ${words(20)} A ${words(20)}`).length, 2);
  t.equal(sentencesOf(`A ${words(20)}\n- ${words(20)}\n@param ${words(20)}`).length, 3);
  for (const bad of [
    'A list of which one is',
    'so, as far as known',
    'Made anew.',
    'a thing told of',
    'what is no file',
  ])
    t.ok(hasConstruction(bad), bad);
  t.notOk(hasConstruction('The renewal is as far away as the moon'));
});

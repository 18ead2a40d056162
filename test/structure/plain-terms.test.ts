/**
 * Tests that code, comments, messages and pages do not use words with an unclear meaning. Each word has a plain
 * replacement.
 * Identifiers are split into words first, so `hasRoom` and `LANE_COUNT` are found, and `hearing` is not. Every line of
 * a file is checked. Files with words of speakers are an exception: their patterns and quotes are not checked.
 */
import t from 'tap';
import { readTextsOf, type Source, sourcesOf, topPages } from './sentences/sources.js';

interface Term {
  readonly words: readonly string[];
  readonly instead: string;
}

const terms: readonly Term[] = [
  { words: ['somebody', 'nobody', 'whoever'], instead: 'the client, the caller, no process' },
  { words: ['wish', 'wishes', 'wished'], instead: 'options, request' },
  { words: ['patience'], instead: 'timeout' },
  { words: ['hear', 'hears', 'heard'], instead: 'get, detect, decode, transcribe' },
  { words: ['lane', 'lanes'], instead: 'vector element, column, contender' },
  { words: ['room', 'rooms'], instead: 'module; space, capacity' },
  { words: ['door', 'doors'], instead: 'interface' },
  { words: ['affair', 'affairs'], instead: 'say whose task it is' },
];
const phrases = ['half of the detector', "detector's half"];

/** Files and folders with words of speakers. */
const ofSpeakers = [
  'src/service/structure/statements/',
  'src/service/structure/summary/relevance.ts',
  'src/service/structure/tasks/',
  'src/stt/whisper/caption-phrases.ts',
  'src/transcript/names/',
];

/** Texts with a forbidden word that are correct in this file. */
const exceptions: Readonly<Record<string, string>> = {
  'src/app/privileges/accounts.ts': "'nobody'",
  'CHANGELOG.md': 'no longer as `room`',
};

/** Returns the checked texts of a file. */
const checkedTexts = (file: Source): { line: number; text: string }[] =>
  ofSpeakers.some((place) => file.path.startsWith(place))
    ? readTextsOf(file).map(({ line, text }) => ({ line, text: text.replace(/"[^"\n]*"/g, '') }))
    : file.source
        .replaceAll(exceptions[file.path] ?? '\0', '')
        .split('\n')
        .map((text, index) => ({ line: index + 1, text }));

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Returns the forbidden words and phrases of a text, each with its replacement. */
const offencesOf = (text: string): string[] => {
  const words = new Set(wordsOf(text));
  const found = terms.flatMap(({ words: banned, instead }) =>
    banned.filter((word) => words.has(word)).map((word) => `"${word}" (${instead})`),
  );
  const lower = text.toLowerCase();
  const said = phrases.filter((phrase) => lower.includes(phrase));
  return [...found, ...said.map((phrase) => `"${phrase}" (8 kHz model, 16 kHz model)`)];
};

t.test('code and pages use no forbidden words', async (t) => {
  const offences: string[] = [];
  let checked = 0;
  const readable = /\.(ts|mjs|js|cc|c|h|inc|py|sh|cmake|md)$/;
  for (const file of sourcesOf(['src', 'native', 'bench', 'docs', ...topPages], readable)) {
    checked++;
    for (const { line, text } of checkedTexts(file))
      for (const offence of offencesOf(text)) offences.push(`${file.path}:${line}: ${offence}`);
  }
  t.ok(checked > 400, 'files are found');
  t.same(offences, []);
});

t.test('identifiers are split into words', async (t) => {
  const found = (line: string) => offencesOf(line).length;
  for (const line of ['this.#hasRoom(1)', 'const LANE_COUNT = 2', 'a SpeechDoor', 'nobody waits', 'heard_at'])
    t.equal(found(line), 1, line);
  for (const line of ['hearing', 'headroom', 'planes', 'outdoor', 'wishbone']) t.equal(found(line), 0, line);
});

t.test('all lines are checked, apart from patterns and quotes of files with words of speakers', async (t) => {
  const source = [
    '/** Matches "at the door", a door. */',
    'const words = /wall|room/;',
    "const phrase = 'hear me';",
    'log(`no room`);',
  ].join('\n');
  const found = (path: string) =>
    checkedTexts({ path, source }).flatMap(({ text }) => offencesOf(text)).length;
  t.equal(found('src/log/lines.ts'), 4);
  t.equal(found('src/transcript/names/lines.ts'), 1);
  t.equal(checkedTexts({ path: 'docs/page.md', source: 'a\n```\na room' }).length, 3);
});

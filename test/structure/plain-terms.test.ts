/**
 * Tests that code, comments, messages and pages do not use words with an unclear meaning. Each word has a plain
 * replacement.
 * Identifiers are split into words first, so `hasRoom` and `LANE_COUNT` are found, and `hearing` is not. A literal
 * that is not a sentence is data, such as a pattern of spoken words, and is not checked. Quoted text is not checked
 * either.
 */
import t from 'tap';
import { readTextsOf, sourcesOf, topPages } from './sentences/sources.js';

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

const wordsOf = (text: string): string[] =>
  text
    .replace(/"[^"\n]*"/g, '')
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
  const readable = /\.(tsx?|mjs|js|cc|c|h|inc|py|sh|cmake|md)$/;
  for (const file of sourcesOf(['src', 'native', 'bench', 'docs', ...topPages], readable)) {
    checked++;
    for (const { line, text } of readTextsOf(file))
      for (const offence of offencesOf(text)) offences.push(`${file.path}:${line}: ${offence}`);
  }
  t.ok(checked > 400, 'files are found');
  t.same(offences, []);
});

t.test('identifiers are split into words', async (t) => {
  const found = (line: string) => offencesOf(line).length;
  for (const line of ['this.#hasRoom(1)', 'const LANE_COUNT = 2', 'a SpeechDoor', 'nobody waits', 'heard_at'])
    t.equal(found(line), 1, line);
  for (const line of ['"at the door"', 'hearing', 'headroom', 'planes', 'outdoor', 'wishbone'])
    t.equal(found(line), 0, line);
});

t.test('the texts of pages are read', async (t) => {
  const source = '// The room\nconst Page = () => <p title="x">Close the door. See https://a.example</p>;\n';
  const lines = readTextsOf({ path: 'src/page.tsx', source });
  t.same(lines.flatMap(({ line, text }) => offencesOf(text).map(() => line)).sort(), [1, 2]);
  t.notOk(
    lines.some(({ text }) => text.startsWith('a.example')),
    'an address is no comment',
  );
});

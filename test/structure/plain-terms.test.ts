/**
 * Code, comments, messages and pages must not use words that a reader has to guess. Each has a plain replacement.
 * Identifiers are split into words first, so `hasRoom` and `LANE_COUNT` are found, and `hearing` is not.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const checkout = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const scanned = ['src', 'native', 'bench', 'docs', 'README.md'];
const readable = /\.(ts|mjs|js|cc|c|h|inc|py|sh|cmake|md)$/;
const generated = /(^|\/)(node_modules|dist|build)\//;

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

/** Exceptions: places where such a word is correct. `text` limits the exception to lines that contain it. */
const exceptions: readonly {
  readonly word: string;
  readonly path: string;
  readonly text?: string;
  readonly why: string;
}[] = [
  { word: 'lanes', path: 'native/kernel/', why: 'the lanes of a SIMD vector' },
  { word: 'lane', path: 'native/kernel/', why: 'a lane of a SIMD vector' },
  { word: 'lanes', path: 'native/vad/', why: 'the lanes of a SIMD vector' },
  { word: 'lane', path: 'native/vad/', why: 'a lane of a SIMD vector' },
  { word: 'lanes', path: 'native/', text: 'COCHLEA_LANES', why: 'macro of native/kernel/per-isa.inc' },
  {
    word: 'nobody',
    path: 'src/app/privileges/accounts.ts',
    text: "'nobody'",
    why: 'an account of the system',
  },
  { word: 'hear', path: 'src/service/structure/', text: 'can you hear me', why: 'words of a speaker' },
  { word: 'wish', path: 'src/service/structure/', text: '|wish', why: 'a word of a speaker' },
  ...[
    'src/service/structure/tasks/',
    'src/service/structure/summary/relevance.ts',
    'src/transcript/names/',
  ].flatMap((path) =>
    ['hear', 'heard', 'wish', 'wishes', 'nobody', 'somebody', 'door', 'room', 'lane', 'patience'].map(
      (word) => ({ word, path, why: 'a word of a speaker' }),
    ),
  ),
];

const filesOf = (path: string): string[] => {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
};

const wordsOf = (line: string): string[] =>
  line
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

const isAllowed = (word: string, path: string, line: string): boolean =>
  exceptions.some(
    (entry) =>
      entry.word === word &&
      path.startsWith(entry.path) &&
      (entry.text === undefined || line.includes(entry.text)),
  );

/** The forbidden words of a line, each with its replacement. */
const offencesOf = (path: string, line: string): string[] => {
  const words = new Set(wordsOf(line));
  const found = terms.flatMap(({ words: banned, instead }) =>
    banned
      .filter((word) => words.has(word) && !isAllowed(word, path, line))
      .map((word) => `"${word}" (${instead})`),
  );
  const lower = line.toLowerCase();
  const said = phrases.filter((phrase) => lower.includes(phrase));
  return [...found, ...said.map((phrase) => `"${phrase}" (8 kHz model, 16 kHz model)`)];
};

t.test('words that have to be guessed are not used', async (t) => {
  const offences: string[] = [];
  let checked = 0;
  for (const file of scanned.flatMap((name) => filesOf(join(checkout, name)))) {
    const path = relative(checkout, file).split(sep).join('/');
    if (!readable.test(path) || generated.test(path)) continue;
    checked++;
    readFileSync(file, 'utf8')
      .split('\n')
      .forEach((line, index) => {
        for (const offence of offencesOf(path, line)) offences.push(`${path}:${index + 1}: ${offence}`);
      });
  }
  t.ok(checked > 400, 'files were found');
  t.same(offences, []);
});

t.test('identifiers are split into words', async (t) => {
  const found = (line: string) => offencesOf('src/x.ts', line).length;
  for (const line of ['this.#hasRoom(1)', 'const LANE_COUNT = 2', 'a SpeechDoor', 'nobody waits', 'heard_at'])
    t.equal(found(line), 1, line);
  for (const line of ['hearing', 'headroom', 'planes', 'outdoor', 'wishbone']) t.equal(found(line), 0, line);
});

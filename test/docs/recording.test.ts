/** The README's recording must come from the demo's output, and the demo must still print the same output. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { type Found, showFound } from '../../src/app/demo/results.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { extractiveExtractor } from '../../src/service/structure/summary/extractive.js';

const checkout = packageDirectory();
const folder = join(checkout, 'docs', 'recording');
const svg = readFileSync(join(folder, 'demo.svg'), 'utf8');
const again = 'node docs/recording/record.mjs makes it again';

interface Recording {
  readonly command: string;
  readonly lines: readonly { readonly at: number; readonly text: string }[];
}
const recording = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Recording;
const printed = recording.lines.map(({ text }) => text);

const { draw } = (await import(pathToFileURL(join(folder, 'draw.mjs')).href)) as {
  draw(recording: Recording): string;
};

/** Returns the names of unclosed elements. @throws Error for malformed XML. */
const unclosed = (xml: string): string[] => {
  const open: string[] = [];
  const rest = xml.replace(
    /<(\/?)([A-Za-z]+)((?:\s[\w:-]+="[^"<&]*")*)\s*(\/?)>/g,
    (_, end, name, __, empty) => {
      if (end === '/') {
        if (open.pop() !== name) throw new Error(`${name} ends where it is not open`);
      } else if (empty !== '/') open.push(name);
      return '';
    },
  );
  const wrong = /[<>]|&(?!(amp|lt|gt|quot);)/.exec(rest);
  if (wrong) throw new Error(`no XML: ${rest.slice(wrong.index, wrong.index + 60)}`);
  return open;
};

t.test('the picture is drawn from the recording', async (t) => {
  t.equal(svg, draw(recording), 'node docs/recording/record.mjs --draw makes it again');
});

t.test('the picture is well-formed, small, and loads nothing', async (t) => {
  t.same(unclosed(svg), []);
  t.ok(svg.length < 60_000, `${svg.length} bytes`);
  t.notMatch(svg, /<script|\son\w+=|href|@import|@font-face|url\((?!#)|<foreignObject/);
  const addresses = svg.match(/\w+:\/\/[^"<\s]+/g) ?? [];
  t.same(
    addresses.filter((address) => !address.startsWith('ws://127.0.0.1')),
    ['http://www.w3.org/2000/svg'],
  );
});

t.test(
  'the picture has a title and a description, colours for both schemes, and no motion where none is asked for',
  async (t) => {
    t.match(svg, /role="img" aria-labelledby="title description"/);
    t.match(svg, /<title id="title">[^<]{10,}<\/title>/);
    t.match(svg, /<desc id="description">[^<]{40,}<\/desc>/);
    t.match(svg, /@media \(prefers-color-scheme: dark\)/);
    const [still, moving] = svg.split('@media (prefers-reduced-motion: no-preference)');
    t.notMatch(still, /animation:/, 'every animation is behind the question');
    t.match(moving, /animation: show/);
  },
);

t.test('text cannot break the picture', async (t) => {
  const text = `<script>alert("&")</script> ]]> --> ${'word '.repeat(200)}`;
  t.same(unclosed(draw({ command: text, lines: [{ at: 1, text }] })), []);
});

t.test('the recording has what the demo prints', async (t) => {
  const source = readFileSync(join(checkout, 'src', 'app', 'demo', 'demo.ts'), 'utf8');
  t.ok(source.includes(`say('${printed[0]}')`), `the first line; ${again}`);
  const shown: string[] = [];
  const found = {
    conversation: { structured: { title: 'T', overview: 'O', category: 'C' }, folder_name: 'F' },
    tasks: [{ description: 'D', due_at: null }],
    memories: [{ content: 'M' }],
  } as unknown as Found;
  showFound(found, (line) => shown.push(line));
  for (const line of shown) {
    const [label] = /^ *[A-Z][a-z ]+: /.exec(line) ?? [];
    if (label !== undefined)
      t.ok(
        printed.some((text) => text.startsWith(label)),
        `${label}; ${again}`,
      );
  }
  t.match(printed.at(-1), /^Word error 0\.0 % of \d+ words; lag p95 \d+ ms$/);
  const times = recording.lines.map(({ at }) => at);
  t.same(
    times,
    [...times].sort((a, b) => a - b),
    'in the order of time',
  );
});

t.test('the recording has the title that is made of the speech today', async (t) => {
  const { utterances } = JSON.parse(
    readFileSync(join(checkout, 'fixtures', 'conversation', 'transcript.json'), 'utf8'),
  ) as { utterances: { text: string; speech_start_ms: number; speech_end_ms: number }[] };
  const { title } = await extractiveExtractor.extract({
    id: 'recording',
    language: 'en',
    startedAt: new Date('2026-11-27T10:00:00Z'),
    timeZone: 'UTC',
    segments: utterances.map(({ text, speech_start_ms: start, speech_end_ms: end }, index) => ({
      id: `s${index}`,
      text,
      speaker: 'SPEAKER_00',
      speaker_id: 0,
      is_user: false,
      person_id: null,
      start: start / 1000,
      end: end / 1000,
    })),
  } as unknown as Parameters<typeof extractiveExtractor.extract>[0]);
  t.ok(printed.includes(`Saved conversation: ${title}`), `${title}; ${again}`);
  t.ok(svg.includes(title), 'it stands in the picture');
});

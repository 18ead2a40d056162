/**
 * Tests the pages of the documentation: their length, links to them from the README, and that they name existing
 * files.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { lineLength } from './modules/picture.js';

const checkout = packageDirectory();
const textOf = (page: string): string => readFileSync(join(checkout, page), 'utf8');
const pagesOf = (folder: string): string[] =>
  readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));

const docs = pagesOf('docs');
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...docs, ...pagesOf('bench')];

/** Returns the link targets of a page outside code blocks. */
const linksOf = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target!);

/** Returns the anchors that GitHub gives to the headings of a page. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

/** Returns the lines of a page outside code blocks. */
const linesOf = (text: string): string[] =>
  text
    .replace(/^```[\s\S]*?^```/gm, '')
    .trimEnd()
    .split('\n');

/** Returns the table cells of a page. */
const cellsOf = (text: string): string[] =>
  linesOf(text)
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split(/(?<!\\)\|/).slice(1, -1));

const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

const modulePages = docs.filter((page) => page.startsWith('docs/modules/'));

t.test('the first pages are short', async (t) => {
  const shown = (page: string): number => textOf(page).trimEnd().split('\n').length;
  for (const [page, most] of [
    ['README.md', 110],
    ['docs/architecture.md', 70],
    ['docs/evidence/performance.md', 120],
  ] as const)
    t.ok(shown(page) <= most, `${page}: ${shown(page)} lines, at most ${most}`);
  t.ok(modulePages.length > 25, `${modulePages.length} pages of modules`);
  for (const page of modulePages) t.ok(shown(page) < 150, `${page}: ${shown(page)} lines, under 150`);
});

t.test('docs has at most 14 pages outside evidence and modules', async (t) => {
  const beside = docs.filter((page) => !/^docs\/(evidence|modules)\//.test(page));
  t.ok(beside.length <= 14, beside.join(', '));
});

t.test('lines of module pages have at most 110 characters', async (t) => {
  for (const page of ['docs/architecture.md', ...modulePages])
    t.same(
      linesOf(textOf(page)).filter((line) => line.length > lineLength && !line.startsWith('|')),
      [],
      page,
    );
});

t.test('a table cell has at most 20 words', async (t) => {
  for (const page of pages)
    t.same(
      cellsOf(textOf(page)).filter((cell) => wordsOf(cell) > 20),
      [],
      page,
    );
});

t.test('the README has a picture, a device in eight lines, and no table', async (t) => {
  const text = textOf('README.md');
  t.match(text, /^!\[[^\]]{20,}\]\(docs\/recording\/demo\.svg\)$/m);
  const [, device] = /^```js client\n([\s\S]*?)\n```$/m.exec(text) ?? [];
  t.equal(device?.split('\n').length, 8);
  t.same(cellsOf(text), []);
  const [, quick] = /^## Quick start\n[\s\S]*?^```\n([\s\S]*?)^```$/m.exec(text) ?? [];
  t.match(quick, /^npm run demo .*\nnpm test /);
  t.ok((quick ?? '').trimEnd().split('\n').length <= 10, 'at most ten lines');
});

t.test('CONTRIBUTING has under 500 words, and links to the detailed pages', async (t) => {
  const text = textOf('CONTRIBUTING.md');
  t.ok(wordsOf(text) < 500, `${wordsOf(text)} words`);
  const links = linksOf(text).map((link) => link.split('#')[0]);
  for (const page of ['docs/development.md', 'docs/changes.md', 'docs/evidence/contract.md'])
    t.ok(links.includes(page), page);
  for (const rule of [
    'npm run demo',
    'npm test',
    'CHANGELOG.md',
    'SECURITY.md',
    'Apache-2.0',
    '72 characters',
  ])
    t.ok(text.includes(rule), rule);
});

t.test('the README leads to every page with at most three links', async (t) => {
  const reached = new Set(['README.md']);
  const follow = (page: string): void => {
    for (const link of linksOf(textOf(page))) {
      const path = link.split('#')[0]!;
      if (path.endsWith('.md') && !/^[a-z]+:/.test(link)) reached.add(join(dirname(page), path));
    }
  };
  for (let links = 0; links < 3; links++) for (const page of [...reached]) follow(page);
  for (const page of docs) t.ok(reached.has(page), page);
});

t.test('docs/evidence/performance.md contains the numbers of the README', async (t) => {
  const rows = textOf('README.md')
    .split('\n')
    .filter((line) => /^- \*\*[\d.]/.test(line));
  t.equal(rows.length, 3);
  const performance = textOf('docs/evidence/performance.md');
  for (const row of rows)
    for (const number of row.match(/\d[\d,.]*\d|\d/g) ?? [])
      if (!/^(32|100)$/.test(number)) t.ok(performance.includes(number), `${number}, in: ${row}`);
});

t.test('every local link of a page leads to an existing file and heading', async (t) => {
  let checked = 0;
  for (const page of pages) {
    for (const link of linksOf(textOf(page))) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path, anchor] = link.split('#') as [string, string?];
      const target = path === '' ? page : join(dirname(page), path);
      checked++;
      if (!existsSync(join(checkout, target))) t.fail(`${page}: ${link} does not exist`);
      else if (anchor !== undefined && !anchorsOf(textOf(target)).includes(anchor))
        t.fail(`${page}: ${link} names no heading`);
    }
  }
  t.ok(checked > 20, `${checked} links`);
});

t.test('every file that docs/changes.md names exists', async (t) => {
  const text = textOf('docs/changes.md');
  const words = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, span]) => span!.split(/\s+/));
  const named = words.map((word) => word.replace(/^dist\/(.+)\.js$/, '$1.ts'));
  const paths = named.filter(
    (word) => /^(src|native|test|bench|docs|deploy)\//.test(word) && !word.includes('NAME'),
  );
  t.ok(paths.length > 60, `${paths.length} files`);
  for (const path of new Set(paths)) t.ok(existsSync(join(checkout, path)), path);
  t.ok((text.match(/^\*\*/gm) ?? []).length >= 16, 'at least 16 recipes');
});

t.test('the glossary defines each word once', async (t) => {
  const words = [...textOf('docs/glossary.md').matchAll(/^\| ([^|]+?) \|/gm)].map(([, word]) => word!);
  const terms = words.filter((word) => word !== 'word' && !word.startsWith('-'));
  t.same([...new Set(terms)], terms);
  for (const loop of ['**pass**', '**turn**', '**tick**']) t.ok(terms.includes(loop), loop);
});

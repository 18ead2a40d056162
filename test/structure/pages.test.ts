/** Pages for readers: the README stays short and leads everywhere, and no page names a file that is not there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';

const checkout = packageDirectory();
const textOf = (page: string): string => readFileSync(join(checkout, page), 'utf8');
const pagesOf = (folder: string): string[] =>
  readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));

const docs = pagesOf('docs');
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...docs, ...pagesOf('bench')];

/** Links of a page, without what stands in blocks of code. */
const linksOf = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target!);

/** Anchors that GitHub gives to the headings of a page. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );

t.test('pages that are read first stay short', async (t) => {
  for (const [page, most] of [
    ['README.md', 150],
    ['docs/evidence/performance.md', 120],
  ] as const) {
    const lines = textOf(page).trimEnd().split('\n').length;
    t.ok(lines <= most, `${page}: ${lines} lines, at most ${most}`);
  }
});

t.test('CONTRIBUTING has under 500 words, and leads to the pages with the rest', async (t) => {
  const text = textOf('CONTRIBUTING.md');
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  t.ok(words < 500, `${words} words`);
  const links = linksOf(text).map((link) => link.split('#')[0]);
  for (const page of [
    'docs/development.md',
    'docs/testing.md',
    'docs/changes.md',
    'docs/evidence/contract.md',
  ])
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

t.test('the README links every page of docs', async (t) => {
  const links = new Set(linksOf(textOf('README.md')));
  for (const page of docs) t.ok(links.has(page), page);
});

t.test('the headline numbers of the README stand in docs/evidence/performance.md', async (t) => {
  const [, section] = /^## Numbers\n([\s\S]*?)^## /m.exec(textOf('README.md')) ?? [];
  const rows = (section ?? '').split('\n').filter((line) => /^\| [^|]/.test(line) && line.includes('`'));
  t.equal(rows.length, 3, 'three rows, each with its command');
  const performance = textOf('docs/evidence/performance.md');
  for (const row of rows) {
    const [, , values] = row.split('|');
    const numbers = values!.match(/\d[\d,.]*\d|\d/g) ?? [];
    t.ok(numbers.length > 0, row);
    for (const number of numbers) t.ok(performance.includes(number), `${number}, of: ${row}`);
  }
});

t.test('every local link of a page resolves', async (t) => {
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
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, word]) => word!);
  const paths = named.filter(
    (word) => /^(src|native|test|bench|docs|deploy)\//.test(word) && !word.includes('NAME'),
  );
  t.ok(paths.length > 60, `${paths.length} files`);
  for (const path of new Set(paths)) t.ok(existsSync(join(checkout, path)), path);
  t.ok((text.match(/^\*\*/gm) ?? []).length >= 16, 'sixteen recipes');
});

t.test('the glossary defines each word once', async (t) => {
  const words = [...textOf('docs/glossary.md').matchAll(/^\| ([^|]+?) \|/gm)].map(([, word]) => word!);
  const terms = words.filter((word) => word !== 'word' && !word.startsWith('-'));
  t.same([...new Set(terms)], terms);
  for (const loop of ['**pass**', '**turn**', '**tick**']) t.ok(terms.includes(loop), loop);
});

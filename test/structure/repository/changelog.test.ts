/**
 * Tests CHANGELOG.md. Its newest version has a date and is the version of package.json. Breaking changes come first
 * and say what to do.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rcompare } from 'semver';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { release } from '../../../src/config/process/release.js';

const groups = ['Breaking', 'Added', 'Changed', 'Fixed', 'Security'];

/** Splits a text at headings that start with `mark`. Each part has its heading and the text below it. */
const partsOf = (text: string, mark: string): { heading: string; text: string }[] =>
  text
    .split(new RegExp(`^${mark} `, 'm'))
    .slice(1)
    .map((part) => ({ heading: part.split('\n', 1)[0]!, text: part.slice(part.indexOf('\n')) }));

/** Returns the items of a list, each joined to one line. */
const itemsOf = (text: string): string[] =>
  text
    .split(/^- /m)
    .slice(1)
    .map((item) =>
      item
        .split(/\n(?! {2})/)[0]!
        .replace(/\s+/g, ' ')
        .trim(),
    );

const text = readFileSync(join(packageDirectory(), 'CHANGELOG.md'), 'utf8');
const [unreleased, ...versions] = partsOf(text, '##');
const dated = versions.map(({ heading, text }) => {
  const [, version, date] = /^(\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
  return { heading, version, date, groups: partsOf(text, '###'), items: itemsOf(text) };
});

t.test(
  '"Unreleased" comes first, then dated versions, and the newest is the version of package.json',
  async (t) => {
    t.equal(unreleased?.heading, 'Unreleased');
    t.ok(dated.length > 0);
    for (const { heading, version, date } of dated) {
      t.ok(version, `${heading}: must be VERSION - YYYY-MM-DD`);
      t.equal(new Date(`${date}T00:00Z`).toISOString().slice(0, 10), date, heading);
    }
    t.equal(dated[0]!.version, release);
    const names = dated.map(({ version }) => version!);
    t.same(names, [...new Set(names)].sort(rcompare), 'newest first, each once');
  },
);

t.test('a version has its groups in order, with Breaking first', async (t) => {
  for (const { heading, groups: own, items } of dated) {
    const names = own.map(({ heading }) => heading);
    t.same(
      names,
      groups.filter((group) => names.includes(group)),
      heading,
    );
    const grouped = own.flatMap(({ text }) => itemsOf(text));
    t.same(grouped, items, `${heading}: every line is in a group`);
    for (const group of own) t.ok(itemsOf(group.text).length > 0, `${heading}: ${group.heading} has lines`);
  }
  t.equal(dated[0]!.groups[0]?.heading, 'Breaking', 'the newest version names breaking changes');
});

t.test('a breaking change is in its group and says what to do', async (t) => {
  for (const { heading, groups: own } of dated)
    for (const group of own)
      for (const item of itemsOf(group.text)) {
        const where = `${heading}, ${group.heading}: ${item.slice(0, 80)}`;
        if (/^breaking:/i.test(item)) t.fail(`${where}: belongs to Breaking, without the word`);
        const [, action = ''] = item.split(' **Action:** ');
        if (group.heading === 'Breaking')
          t.match(action, /^\S.+\.$/, `${where}: has **Action:** and a sentence`);
        else if (action !== '') t.fail(`${where}: belongs to Breaking`);
      }
});

t.test('no line appears twice', async (t) => {
  const all = [...itemsOf(unreleased?.text ?? ''), ...dated.flatMap(({ items }) => items)];
  t.same(
    all.filter((item, index) => all.indexOf(item) !== index),
    [],
  );
});

/** Tests the modules of `src`: their size, their indexes, the imports between them, and their pictures. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { mayImportInside } from './arrows.js';
import {
  arrowsOf,
  circlesOf,
  crowded,
  fileGraph,
  moduleOf,
  partOf,
  pastIndexes,
  readImports,
  readModules,
} from './modules.js';
import { innerArrows, loadedLate, moduleSections, withSection } from './picture.js';

const checkout = packageDirectory();
const source = join(checkout, 'src');
const modules = readModules(source);
const imports = readImports(source, modules);

/**
 * Maximum number of files of modules that may exceed 20: modules with files of one kind, and the released migrations.
 */
const most: Readonly<Record<string, number>> = {
  'app/commands': 25,
  'cli/commands': 25,
  'config/settings': 25,
  'store/schema/migrations': Number.POSITIVE_INFINITY,
};
/** Maximum number of files of folders outside `src` that may exceed 20. */
const mostElsewhere: Readonly<Record<string, number>> = { 'bench/commands': 25 };

t.test('every module has at most 20 files, or 25 files of one kind', async (t) => {
  t.ok(modules.length > 100, `${modules.length} modules`);
  for (const { name, files } of modules) t.comment(`${name}: ${files.length} files`);
  t.same(crowded(modules, most), []);
});

t.test('folders of tests and benchmarks have at most 20 files, or 25 of one kind', async (t) => {
  const offences: string[] = [];
  let folders = 0;
  const visit = (folder: string): void => {
    const entries = readdirSync(join(checkout, folder), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).length;
    folders++;
    if (files > (mostElsewhere[folder] ?? 20)) offences.push(`${folder} has ${files} files`);
    for (const entry of entries)
      if (entry.isDirectory() && entry.name !== 'node_modules') visit(`${folder}/${entry.name}`);
  };
  visit('test');
  visit('bench');
  t.ok(folders > 60, `${folders} folders`);
  t.same(offences, []);
});

t.test('modules are imported through their indexes', async (t) => {
  t.ok(imports.length > 3000, `${imports.length} imports`);
  t.same(pastIndexes(imports), []);
});

t.test('every index starts with a comment that says what its module contains', async (t) => {
  t.same(
    modules.filter(({ hasIndex, holds }) => hasIndex && !holds.endsWith('.')).map(({ name }) => name),
    [],
  );
});

t.test('a module without an index is imported only late, and has a description', async (t) => {
  t.same(
    modules.filter(({ hasIndex }) => !hasIndex).map(({ name }) => name),
    Object.keys(loadedLate),
  );
});

t.test('an index names only files of its own module', async (t) => {
  t.same(
    imports
      .filter(({ from, to }) => from.endsWith('/index.ts') && moduleOf(from) !== moduleOf(to))
      .map(({ from, to }) => `${from} -> ${to}`),
    [],
  );
});

t.test('modules of a part import each other as the table allows', async (t) => {
  const arrows = arrowsOf(imports);
  for (const part of new Set(modules.map(({ name }) => partOf(name)))) {
    const inner = innerArrows(part, arrows);
    const allowed = Object.entries(mayImportInside).filter(([module]) => partOf(module) === part);
    t.same(
      Object.fromEntries([...inner].map(([module, targets]) => [module, [...targets]])),
      Object.fromEntries(allowed.map(([module, targets]) => [module, [...targets].sort()])),
      part,
    );
  }
});

t.test('modules and files have no import cycles, including type imports', async (t) => {
  t.same(circlesOf(arrowsOf(imports)), []);
  t.same(circlesOf(fileGraph(imports)), []);
});

t.test('the pages of docs/modules match the modules', async (t) => {
  const sections = moduleSections(source);
  t.equal(sections.size, new Set(modules.map(({ name }) => partOf(name))).size + 1, 'one page per part');
  for (const [name, section] of sections) {
    const page = readFileSync(join(checkout, 'docs', name), 'utf8');
    t.equal(withSection(page, section), page, `${name}: run node dist/test/structure/modules/picture.js`);
  }
});

/** Writes a source tree with these files. Returns its folder. */
const tree = (
  t: { testdir(content: Record<string, never>): string },
  files: Readonly<Record<string, string>>,
): string => {
  const folder = t.testdir({});
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, moduleOf(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
};

t.test('violations of each rule are found', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`full/f${n}.ts`, 'export {};']));
  const folder = tree(t, {
    ...many,
    'a/index.ts': "/** A. */\nexport { one } from './one.js';\n",
    'a/one.ts': "import type { Two } from '../b/index.js';\nexport const one: Two = 1;\n",
    'b/index.ts': "/** B. */\nexport type { Two } from './two.js';\n",
    'b/two.ts': "import type { one } from '../a/one.js';\nexport type Two = number | typeof one;\n",
    'c/late.ts': "export const late = () => import('../a/one.js');\n",
  });
  const found = readModules(folder);
  const between = readImports(folder, found);
  t.same(crowded(found, { full: 25 }), ['full has 26 files']);
  t.same(crowded(found, { full: 26 }), []);
  t.same(pastIndexes(between), ['b/two.ts -> a/one.ts'], 'only a late import may bypass an index');
  t.same(circlesOf(arrowsOf(between)), ['a -> b -> a']);
  t.same(circlesOf(fileGraph(between)), ['a/one.ts -> b/index.ts -> b/two.ts -> a/one.ts']);
});

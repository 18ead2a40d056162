/**
 * Makes the pictures and lists of modules from the imports of `src`. Writes one page per part in docs/modules, and the
 * picture of all parts in its README.
 *
 *   node dist/test/structure/modules/picture.js   writes them into the pages
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { commonParts } from './arrows.js';
import { arrowsOf, type Module, partOf, readImports, readModules } from './modules.js';

const begin = '<!-- modules: made by test/structure/modules/picture.ts -->';
const end = '<!-- modules: end -->';

/** Converts a module's name to its id in the picture. */
const id = (name: string): string => name.replaceAll(/[^a-z]/g, '_');

/** Returns the arrows of a graph, without arrows that a longer path implies. */
const reduced = (graph: ReadonlyMap<string, ReadonlySet<string>>): [string, string][] => {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to, seen));
  };
  return [...graph].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
      .sort()
      .map((to): [string, string] => [from, to]),
  );
};

/** Returns a Mermaid picture. Each node's arrows are on one line. */
const mermaid = (
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  label: (name: string) => string,
): string => {
  const nodes = [...new Set([...graph].flatMap(([from, targets]) => [from, ...targets]))].sort();
  const arrows = new Map<string, string[]>();
  for (const [from, to] of reduced(graph)) arrows.set(from, [...(arrows.get(from) ?? []), id(label(to))]);
  return [
    '```mermaid',
    'flowchart TD',
    ...nodes
      .filter((name) => id(label(name)) !== label(name))
      .map((name) => `  ${id(label(name))}["${label(name)}"]`),
    ...[...arrows].map(([from, targets]) => `  ${id(label(from))} --> ${targets.join(' & ')}`),
    '```',
  ].join('\n');
};

/** Returns the arrows between parts. Arrows from and to the common parts are left out. */
const partArrows = (arrows: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> => {
  const parts = new Map<string, Set<string>>();
  for (const [module, targets] of arrows) {
    const from = partOf(module);
    for (const to of [...targets].map(partOf)) {
      if (from === to || commonParts.includes(to) || commonParts.includes(from)) continue;
      parts.set(from, (parts.get(from) ?? new Set()).add(to));
    }
  }
  return new Map([...parts].sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Returns the arrows between modules of one part. */
export const innerArrows = (
  part: string,
  arrows: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, Set<string>> =>
  new Map(
    [...arrows]
      .filter(([module]) => partOf(module) === part)
      .map(([module, targets]): [string, Set<string>] => [
        module,
        new Set([...targets].filter((target) => partOf(target) === part).sort()),
      ])
      .filter(([, targets]) => targets.size > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Descriptions of modules without an index. These modules are only imported late. */
export const loadedLate: Readonly<Record<string, string>> = {
  app: 'The program `cochlea`: its entry and its table of commands.',
  'app/commands': 'The commands of `cochlea`.',
  'app/demo': 'The demo: streams the sample and checks the transcript.',
  'cli/completion': 'Completion scripts and manual page of `cochlea-user`.',
  'cli/sign-in': 'Sign-in of `cochlea-user` in a browser.',
};

/** Maximum number of characters in a line of a page. */
export const lineLength = 110;

/** Returns a list item in lines of at most `lineLength` characters. `depth` is the number of spaces before its mark. */
const itemOf = (text: string, depth = 0): string => {
  const lines = [`${' '.repeat(depth)}-`];
  for (const word of text.split(' ')) {
    if (lines.at(-1)!.length + 1 + word.length <= lineLength) lines[lines.length - 1] += ` ${word}`;
    else lines.push(`${' '.repeat(depth + 2)}${word}`);
  }
  return lines.join('\n');
};

/** Returns the list entry of a module: its description, its files, and the modules of its part that it imports. */
const entryOf = (
  { name, files, holds }: Module,
  inner: ReadonlyMap<string, ReadonlySet<string>>,
  part: string,
): string => {
  const names = files
    .map((file) => file.slice(name.length + 1).replace(/\.tsx?$/, ''))
    .filter((file) => file !== 'index');
  const imports = [...(inner.get(name) ?? [])].map((target) => target.slice(part.length + 1) || part);
  return [
    itemOf(`**\`${name}\`**: ${holds || loadedLate[name]}`),
    itemOf(`files: ${names.join(', ')}`, 2),
    ...(imports.length === 0 ? [] : [itemOf(`imports: ${imports.join(', ')}`, 2)]),
  ].join('\n');
};

const between = (...content: readonly string[]): string => [begin, ...content, end].join('\n\n');

/** Returns the generated sections. Keys are the paths of their pages below `docs`. `source` is the path of `src`. */
export const moduleSections = (source: string): ReadonlyMap<string, string> => {
  const modules = readModules(source);
  const arrows = arrowsOf(readImports(source, modules));
  const sections = new Map([['modules/README.md', between(mermaid(partArrows(arrows), (name) => name))]]);
  for (const part of new Set(modules.map(({ name }) => partOf(name)))) {
    const inner = innerArrows(part, arrows);
    const own = modules.filter(({ name }) => partOf(name) === part);
    const list = own.map((module) => entryOf(module, inner, part)).join('\n');
    const picture = mermaid(inner, (name) => name.slice(part.length + 1) || part);
    sections.set(`modules/${part}.md`, inner.size > 1 ? between(picture, list) : between(list));
  }
  return sections;
};

/** Replaces the generated section of a page. @throws Error if the page lacks the marks around the section. */
export const withSection = (page: string, section: string): string => {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error('The page has no marks of the modules.');
  return page.slice(0, from) + section + page.slice(to + end.length);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const checkout = packageDirectory();
  for (const [page, section] of moduleSections(join(checkout, 'src'))) {
    const path = join(checkout, 'docs', page);
    writeFileSync(path, withSection(readFileSync(path, 'utf8'), section));
  }
}

/**
 * Makes the picture of the modules for docs/architecture.md from the imports of `src`.
 *   node dist/test/structure/modules/picture.js   writes it between the marks of the page
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { commonParts } from './arrows.js';
import { arrowsOf, type Module, partOf, readImports, readModules } from './modules.js';

const begin = '<!-- modules: made by test/structure/modules/picture.ts -->';
const end = '<!-- modules: end -->';

/** Names nodes of a picture. */
const id = (name: string): string => name.replaceAll(/[^a-z]/g, '_');

/** Leaves out arrows that a longer way between the same modules says already. */
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

const mermaid = (
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  label: (name: string) => string,
): string => {
  const nodes = [...new Set([...graph].flatMap(([from, targets]) => [from, ...targets]))].sort();
  return [
    '```mermaid',
    'flowchart TD',
    ...nodes.map((name) => `  ${id(name)}[${label(name)}]`),
    ...reduced(graph).map(([from, to]) => `  ${id(from)} --> ${id(to)}`),
    '```',
  ].join('\n');
};

/** Arrows between parts, without those to the common ones. */
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

/** Arrows between the modules of one part. */
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

/** What modules hold that have no index, because they are only loaded late. */
export const loadedLate: Readonly<Record<string, string>> = {
  app: 'The program `cochlea`: its entry and its table of commands.',
  'app/commands': 'The commands of `cochlea`.',
  'app/demo': 'The demo: streams the sample and judges what came.',
  'cli/completion': 'Completion scripts and manual page of `cochlea-user`.',
  'cli/sign-in': 'Sign-in of `cochlea-user` in a browser.',
};

const rowOf = ({ name, files, holds }: Module, inner: ReadonlyMap<string, ReadonlySet<string>>): string => {
  const names = files
    .map((file) => file.slice(name.length + 1, -'.ts'.length))
    .filter((file) => file !== 'index');
  const imports = [...(inner.get(name) ?? [])].map((target) => `\`${target}\``);
  return `| \`${name}\` | ${holds || loadedLate[name]} | ${names.join(', ')} | ${imports.join(', ') || '-'} |`;
};

const tableOf = (modules: readonly Module[], inner: ReadonlyMap<string, ReadonlySet<string>>): string =>
  [
    '| module | holds | files | imports of the same part |',
    '|---|---|---|---|',
    ...modules.map((module) => rowOf(module, inner)),
  ].join('\n');

/** The section with pictures and tables. @param source path of `src` */
export const modulesSection = (source: string): string => {
  const modules = readModules(source);
  const arrows = arrowsOf(readImports(source, modules));
  const parts = [...new Set(modules.map(({ name }) => partOf(name)))];
  const sections = parts.map((part) => {
    const own = modules.filter(({ name }) => partOf(name) === part);
    const inner = innerArrows(part, arrows);
    const picture =
      inner.size > 1 ? `${mermaid(inner, (name) => name.slice(part.length + 1) || part)}\n\n` : '';
    return `### \`src/${part}\`\n\n${picture}${tableOf(own, inner)}`;
  });
  return [begin, '', mermaid(partArrows(arrows), (name) => name), '', sections.join('\n\n'), '', end].join(
    '\n',
  );
};

/** The page with the section in its place. @throws Error where the page lacks the marks. */
export const withSection = (page: string, section: string): string => {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error('The page has no marks of the modules.');
  return page.slice(0, from) + section + page.slice(to + end.length);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(packageDirectory(), 'docs', 'architecture.md');
  writeFileSync(
    path,
    withSection(readFileSync(path, 'utf8'), modulesSection(join(packageDirectory(), 'src'))),
  );
}

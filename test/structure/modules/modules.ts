/** Reads the modules of a source tree, their indexes and the imports between them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import ts from 'typescript';

const index = 'index.ts';

/** A folder of the source that contains files. */
export interface Module {
  /** Path below the source, such as `engine/shard`. */
  readonly name: string;
  /** Files of the module including the index, as paths below the source. */
  readonly files: readonly string[];
  readonly hasIndex: boolean;
  /** First comment of the index. */
  readonly holds: string;
}

/** An import of one file by another; both are paths below the source. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Whether the import is a late `import()`. */
  readonly late: boolean;
}

export const moduleOf = (file: string): string => dirname(file).split(sep).join('/');
export const partOf = (module: string): string => module.split('/')[0]!;

const isSource = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.d.ts');

const firstComment = (text: string): string =>
  (/^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? '')
    .replace(/\n ?\*/g, '\n')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the modules of a source folder, sorted by name. */
export const readModules = (source: string): Module[] => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(isSource).sort();
  const byModule = new Map<string, string[]>();
  for (const file of files) byModule.set(moduleOf(file), [...(byModule.get(moduleOf(file)) ?? []), file]);
  return [...byModule]
    .filter(([name]) => name !== '.')
    .map(([name, own]) => {
      const path = join(source, name, index);
      const hasIndex = existsSync(path);
      return { name, files: own, hasIndex, holds: hasIndex ? firstComment(readFileSync(path, 'utf8')) : '' };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

const resolved = (from: string, specifier: string, known: ReadonlySet<string>): string | undefined => {
  const path = join(dirname(from), specifier).replace(/\.js$/, '.ts');
  return known.has(path) ? path : undefined;
};

/** Returns every import between the files of the modules, including type imports. */
export const readImports = (source: string, modules: readonly Module[]): Import[] => {
  const known = new Set(modules.flatMap(({ files }) => files));
  return [...known].flatMap((from) => {
    const parsed = ts.createSourceFile(
      from,
      readFileSync(join(source, from), 'utf8'),
      ts.ScriptTarget.Latest,
      false,
    );
    const found: Import[] = [];
    const add = (specifier: ts.Node | undefined, late: boolean): void => {
      if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return;
      const to = resolved(from, specifier.text, known);
      if (to !== undefined) found.push({ from, to, late });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier, false);
      else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
        add(node.arguments[0], true);
      else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
        add(node.argument.literal, false);
      ts.forEachChild(node, visit);
    };
    visit(parsed);
    return found;
  });
};

/** Returns modules with too many files: more than 20, or more than the exception for a module with files of one kind. */
export const crowded = (
  modules: readonly Module[],
  most: Readonly<Record<string, number>>,
  usual = 20,
): string[] =>
  modules
    .filter(({ name, files }) => files.length > (most[name] ?? usual))
    .map(({ name, files }) => `${name} has ${files.length} files`);

/**
 * Returns imports of another module that bypass its index. A late import may name a file, because the index would load the complete
 * module.
 */
export const pastIndexes = (imports: readonly Import[]): string[] =>
  imports
    .filter(({ from, to, late }) => !late && moduleOf(from) !== moduleOf(to) && !to.endsWith(`/${index}`))
    .map(({ from, to }) => `${from} -> ${to}`);

/** Returns the imports as a graph, without imports inside one node. @param nodeOf maps a file to its node. */
const graphOf = (imports: readonly Import[], nodeOf: (file: string) => string): Map<string, Set<string>> => {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [a, b] = [nodeOf(from), nodeOf(to)];
    if (a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b));
  }
  return graph;
};

/** Returns the modules that each module imports, including late imports. */
export const arrowsOf = (imports: readonly Import[]): Map<string, Set<string>> => graphOf(imports, moduleOf);

/** Returns the files that each file imports when it is loaded, without late imports. */
export const fileGraph = (imports: readonly Import[]): Map<string, Set<string>> =>
  graphOf(
    imports.filter(({ late }) => !late),
    (file) => file,
  );

/** Returns the cycles of a graph. Each is a path that ends where it began. */
export const circlesOf = (graph: ReadonlyMap<string, Iterable<string>>): string[] => {
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (state.get(node) === 'done') return;
    if (state.get(node) === 'open') {
      circles.push([...path.slice(path.indexOf(node)), node].join(' -> '));
      return;
    }
    state.set(node, 'open');
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    state.set(node, 'done');
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
};

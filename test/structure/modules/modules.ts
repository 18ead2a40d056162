/** Reads the modules of a source tree, their indexes and the imports between them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import ts from 'typescript';

const index = 'index.ts';

/** A folder of the source tree that contains files. */
export interface Module {
  /** Path below the source folder, such as `engine/shard`. */
  readonly name: string;
  /** Files of the module, including its index. Paths start below the source folder. */
  readonly files: readonly string[];
  readonly hasIndex: boolean;
  /** First comment of the index. Empty without an index. */
  readonly holds: string;
}

/** An import of one file by another file. Both paths start below the source folder. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Whether the import is an `import()` that runs later. */
  readonly late: boolean;
}

export const moduleOf = (file: string): string => dirname(file).split(sep).join('/');
export const partOf = (module: string): string => module.split('/')[0]!;

const isSource = (file: string): boolean => /\.tsx?$/.test(file) && !file.endsWith('.d.ts');

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
  const path = join(dirname(from), specifier).replace(/\.js$/, '');
  return [`${path}.ts`, `${path}.tsx`].find((file) => known.has(file));
};

/** Returns every import between files of the modules, including imports of types. */
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

/** Returns a message for each module with too many files. `most` has a higher maximum for some modules. */
export const crowded = (
  modules: readonly Module[],
  most: Readonly<Record<string, number>>,
  usual = 20,
): string[] =>
  modules
    .filter(({ name, files }) => files.length > (most[name] ?? usual))
    .map(({ name, files }) => `${name} has ${files.length} files`);

/**
 * Returns static imports of another module that bypass its index. A late import may name a file, because the index
 * would load the complete module.
 */
export const pastIndexes = (imports: readonly Import[]): string[] =>
  imports
    .filter(({ from, to, late }) => !late && moduleOf(from) !== moduleOf(to) && !to.endsWith(`/${index}`))
    .map(({ from, to }) => `${from} -> ${to}`);

/** Returns the imports as a graph. `nodeOf` maps a file to its node. Imports within a node are left out. */
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

/** Returns the files that each file imports statically. */
export const fileGraph = (imports: readonly Import[]): Map<string, Set<string>> =>
  graphOf(
    imports.filter(({ late }) => !late),
    (file) => file,
  );

/** Returns the cycles of a graph. Each is a path that ends with its first node. */
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

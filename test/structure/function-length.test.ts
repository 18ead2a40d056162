/** Tests that no function is too long to read at once. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { packageDirectory } from '../../src/config/process/data-dir.js';

/** Maximum number of lines of a function. Its first and last line count, and its leading comments do not. */
const mostLines = 100;

interface LongFunction {
  readonly name: string;
  readonly lines: number;
}

const nameOf = (node: ts.SignatureDeclaration, source: ts.SourceFile): string => {
  const { name, parent } = node;
  if (name !== undefined) return name.getText(source);
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText(source);
  return 'a function without a name';
};

/**
 * Returns the functions of a file with more than `mostLines` lines, including methods and constructors. Lines of an
 * inner function also count for the outer function.
 */
const longFunctions = (path: string, text: string): LongFunction[] => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const found: LongFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      if (lines > mostLines) found.push({ name: nameOf(node, source), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

t.test('finds functions with too many lines', async (t) => {
  const body = (lines: number): string => `{\n${'  work();\n'.repeat(lines - 2)}}`;
  for (const [lines, found] of [
    [mostLines, 0],
    [mostLines + 1, 1],
  ] as const) {
    for (const [form, name] of [
      [`function long() ${body(lines)}`, 'long'],
      [`const long = () => ${body(lines)};`, 'long'],
      [`const it = { long() ${body(lines)} };`, 'long'],
      [`class It { constructor() ${body(lines)} }`, 'constructor'],
      [`run(() => ${body(lines)});`, 'a function without a name'],
    ] as const) {
      const expected = found === 0 ? [] : [{ name, lines }];
      t.same(longFunctions('example.ts', form), expected, `${lines} lines: ${form.slice(0, 30)}`);
    }
  }
});

t.test(`no function of src has more than ${mostLines} lines`, async (t) => {
  const root = join(packageDirectory(), 'src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.m?ts$|\.mjs$/.test(name),
  );
  t.ok(files.length > 0, 'files are found');
  for (const name of files) {
    const found = longFunctions(name, readFileSync(join(root, name), 'utf8'));
    t.same(found, [], `src/${name}: ${found.map((one) => `${one.name} has ${one.lines} lines`).join(', ')}`);
  }
});

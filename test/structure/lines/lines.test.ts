/** Tests which lines of a file and which files of a source tree count as code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { countLines, countModules } from './lines.js';

const examples: readonly (readonly [string, number, string])[] = [
  ['an empty file', 0, ''],
  ['a statement', 1, 'const a = 1;\n'],
  ['a statement of three lines', 3, 'call(\n  a,\n);\n'],
  ['blank lines, with spaces or without', 2, 'a();\n\n   \n\t\nb();\n'],
  ['line comments', 1, '// a\na();\n  // b\n'],
  ['a comment behind code', 1, 'a(); // b\n'],
  ['a block comment of three lines', 1, '/* a\n b();\n*/\na();\n'],
  ['a docstring of a function', 1, '/**\n * Says a.\n * @param b c\n */\nconst a = (b: string) => b;\n'],
  ['a docstring within a type', 3, 'interface A {\n  /** Says b. */\n  b: string;\n}\n'],
  ['a comment within a call', 3, 'a(\n  // b\n  c,\n);\n'],
  ['code behind a block comment', 1, '/* a\n*/ b();\n'],
  ['a closing comment', 1, 'a();\n/** b */\n'],
  ['a template that holds what looks like comments', 4, 'a(`\n// b\n/* c */\n`);\n'],
  ['blank lines of a template', 2, 'a(`\n\n`);\n'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
  ['a comment within an expression of a template', 3, 'a(`${\n  // b\n  c\n}`);\n'],
  ['texts and expressions that hold marks of comments', 3, "a('/*');\nb(/\\/*/);\nc('*/');\n"],
  ['line ends of Windows', 2, 'a();\r\n\r\n// b\r\nc();\r\n'],
];

t.test('a line counts if it contains a part of a statement', async (t) => {
  for (const [name, lines, text] of examples) t.equal(countLines('example.ts', text), lines, name);
  t.equal(
    countLines('example.mjs', '/**\n * @param {string} b\n */\nconst a = (b) => b;\n'),
    1,
    'JavaScript',
  );
  t.equal(
    countLines('example.mjs', '#!/usr/bin/env node\na();\n'),
    1,
    'the line with the interpreter does not count',
  );
});

t.test('a module counts only its own files of code', async (t) => {
  const source = t.testdir();
  for (const [path, text] of [
    ['a/index.ts', '// nothing\na();\n'],
    ['a/b/one.ts', 'a();\nb();\n'],
    ['a/b/two.mjs', 'a();\n'],
    ['a/b/types.d.ts', 'declare const a: 1;\n'],
    ['a/b/graph.onnx', 'a();\n'],
    ['a/b/table.json', '[]\n'],
    ['a/b/program.py', 'a()\n'],
    ['client/description.ts', 'a();\n'],
  ] as const) {
    mkdirSync(join(source, path, '..'), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  t.same(countModules(source), [
    { name: 'a', files: 1, lines: 1 },
    { name: 'a/b', files: 3, lines: 4 },
  ]);
});

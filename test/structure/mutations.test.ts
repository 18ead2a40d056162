/** Tests which changes `npm run mutations` makes to a source, and that the files in its lists exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { groups } from '../mutations/groups.js';
import { applied } from '../mutations/mutant.js';
import { sourceMutants } from '../mutations/source-mutants.js';

const made = (source: string): string[] => sourceMutants(source).map((mutant) => applied(source, mutant));

t.test('changes of a source', async (t) => {
  for (const [source, changed] of [
    ['if (a) b();', ['if (true) b();', 'if (false) b();']],
    ['x = a ? b : c;', ['x = true ? b : c;', 'x = false ? b : c;']],
    ['x = a && b;', ['x = a;', 'x = b;']],
    ['x = a ?? b;', ['x = a;', 'x = b;']],
    ['x = !a;', ['x = a;']],
    ['x = a < 2;', ['x = a <= 2;', 'x = a >= 2;', 'x = a < (2 + 1);']],
    ['x = f({ a, b: c });', ['x = f({  b: c });', 'x = f({ a,  });']],
    ["x = tool({ title: 'a', ...b });", ["x = tool({ title: 'a',  });"]],
    ['x = a.filter(b).map(c);', ['x = a.map(c);']],
    ['x = a.some(b);', ['x = a.every(b);']],
    [
      "x = route({ operationId: 'a' });",
      ['x = route({  });', "x = route({ operationId: ('a' + 'Other') });"],
    ],
    [
      "const orders = 'a desc, id desc';",
      ["const orders = 'a asc, id desc';", "const orders = 'a desc, id asc';"],
    ],
    [
      'q = `select a from b where c = $1 and ($2 is null or d >= $2) limit $3 offset $4`;',
      [
        'q = `select a from b where ((c = $1) or true) and ($2 is null or d >= $2) limit $3 offset $4`;',
        'q = `select a from b where c = $1 and ((($2 is null or d >= $2)) or true) limit $3 offset $4`;',
        'q = `select a from b where c = $1 and ($2 is null or ((d >= $2) and false)) limit $3 offset $4`;',
        'q = `select a from b where c = $1 and ($2 is null or d > $2) limit $3 offset $4`;',
        'q = `select a from b where c = $1 and ($2 is null or d >= $2) limit $3 + 1000 offset $4`;',
        'q = `select a from b where c = $1 and ($2 is null or d >= $2) limit $3 offset $4 * 0`;',
      ],
    ],
    ['type A = { a: true };', []],
  ] as const)
    t.same(made(source).sort(), [...changed].sort(), source);
});

t.test('sources, declarations and tests of all groups exist', async (t) => {
  const root = packageDirectory();
  for (const { name, handlers, tests } of groups) {
    for (const { file, ...options } of handlers)
      t.ok(sourceMutants(readFileSync(join(root, file), 'utf8'), options).length > 0, `${name}: ${file}`);
    for (const test of tests) t.ok(existsSync(join(root, 'test', `${test}.test.ts`)), `${name}: ${test}`);
  }
});

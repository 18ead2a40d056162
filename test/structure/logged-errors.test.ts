/**
 * Tests that errors are logged as `{ err }`. One serializer then removes private text, so no log call may pass the
 * text of an error itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import ts from 'typescript';

const source = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'src');
const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);

t.test('no log call passes the text of an error', async (t) => {
  const offences: string[] = [];
  let calls = 0;
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const tree = ts.createSourceFile(
      file,
      readFileSync(join(source, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node: ts.Node): void => {
      if (
        ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        levels.has(node.expression.name.text) &&
        /\blog(ger)?$/.test(node.expression.expression.getText())
      ) {
        calls++;
        const given = node.arguments.map((argument) => argument.getText()).join(', ');
        if (/reasonOf\(|\.(message|stack)\b|String\((error|thrown)\)/.test(given)) {
          offences.push(`${file}: ${given}`);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  t.ok(calls > 40, `${calls} calls`);
  t.same(offences, []);
});

/** Tests docs/errors.md and the messages of the error registry. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import t from 'tap';
import { program } from '../../src/app/program.js';
import { settings } from '../../src/config/settings.js';
import { CochleaError } from '../../src/errors/cochlea-error.js';
import { errorsPage } from '../../src/errors/page.js';
import { errorRegistry } from '../../src/errors/registry.js';

const checkout = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

t.test('docs/errors.md matches the registry', async (t) => {
  const page = readFileSync(join(checkout, 'docs', 'errors.md'), 'utf8');
  t.equal(page, errorsPage(), 'regenerate with: node dist/src/errors/page.js > docs/errors.md');
});

t.test('every entry has a message and a remedy, and fills its placeholders', async (t) => {
  for (const [code, entry] of Object.entries(errorRegistry)) {
    t.match(code, /^[a-z][a-z0-9_]+$/, code);
    t.ok(entry.message.length > 0 && entry.remedy.length > 0, `${code} has a message and a remedy`);
    const placeholders = [...`${entry.message} ${entry.remedy}`.matchAll(/\{(\w+)\}/g)].map(
      ([, name]) => name!,
    );
    const filled = new CochleaError(
      code as keyof typeof errorRegistry,
      Object.fromEntries(placeholders.map((name) => [name, 'x'])),
    );
    t.notMatch(filled.line, /[{}]\w/, `${code} fills its placeholders`);
  }
});

/** Names in capitals that are not settings of this product: two placeholders of requests, and a variable of Node.js. */
const otherNames = new Set(['API_KEY', 'ID_TOKEN', 'NODE_EXTRA_CA_CERTS']);

const optionsOf = (command: Command): string[] => [
  ...command.options.map(({ long }) => long ?? ''),
  ...command.commands.flatMap(optionsOf),
];

t.test('entries name only existing commands, scripts, options and settings', async (t) => {
  const names = new Set(Object.values(settings).map(({ env }) => env as string));
  const cochlea = await program();
  const options = new Set(optionsOf(cochlea));
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  let found = 0;
  for (const [code, { message, remedy }] of Object.entries(errorRegistry)) {
    const text = `${message} ${remedy}`;
    for (const [, words] of text.matchAll(/"cochlea ([a-z -]+)"/g)) {
      found++;
      let command: Command | undefined = cochlea;
      for (const word of words!.split(' '))
        command = command?.commands.find((candidate) => candidate.name() === word);
      t.ok(command, `${code}: cochlea ${words} is a command`);
    }
    for (const [, script] of text.matchAll(/npm run ([\w:-]+)/g)) {
      found++;
      t.ok(scripts[script!], `${code}: npm run ${script} is a script`);
    }
    for (const [option] of text.replace(/"npm [^"]*"/g, '').matchAll(/--[a-z-]+/g)) {
      found++;
      t.ok(options.has(option), `${code}: ${option} is an option`);
    }
    for (const [name] of text.matchAll(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g)) {
      if (otherNames.has(name)) continue;
      found++;
      t.ok(names.has(name), `${code}: ${name} is a setting`);
    }
    t.notMatch(
      text.replace(/\b20\.(19|x)\b/g, ''),
      /\d[\d,]* ?(ms|s|seconds|minutes|bytes|[KM]i?B|characters)\b/,
      `${code}: the text contains no fixed limit`,
    );
  }
  t.ok(found > 15, `${found} names`);
});

t.test('an error keeps its class and its text when it is copied to another thread', async (t) => {
  const error = new CochleaError('port_taken', { port: 8787, host: '127.0.0.1', setting: 'PORT' });
  const copy = CochleaError.fromJSON(JSON.parse(JSON.stringify(error)));
  t.equal(copy.line, error.line);
  t.ok(copy instanceof CochleaError);
  t.notOk(new Error('x') instanceof CochleaError);
});

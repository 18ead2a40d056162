/** Compares the pages of the documentation with the command for users and the command for operators. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import t from 'tap';
import { program as operatorProgram } from '../../src/app/program.js';
import { userProgram } from '../../src/cli/program.js';
import { exitCodes } from '../../src/cli/terminal/exit-codes.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';

const docs = join(packageDirectory(), 'docs');
const page = readFileSync(join(docs, 'command-line.md'), 'utf8');
const program = userProgram('cochlea-user', () => async () => undefined);
const operators = await operatorProgram();

t.test('exit codes', async (t) => {
  const table = page.slice(page.indexOf('| exit code | meaning |')).split('\n\n')[0]!.split('\n').slice(2);
  t.same(
    table,
    Object.values(exitCodes).map(({ code, meaning }) => `| ${code} | ${meaning} |`),
  );
});

t.test('every command is in the table', async (t) => {
  const rows = page.slice(page.indexOf('| group | commands |')).split('\n\n')[0]!.split('\n').slice(2);
  const named = (group: Command, prefix = ''): string[] =>
    group.commands.flatMap((command) =>
      command.commands.length > 0
        ? named(command, `${prefix}${command.name()} `)
        : [`${prefix}${command.name()}`],
    );
  for (const group of program.commands) {
    const row = rows.find((line) => line.startsWith(`| \`${group.name()}\` |`));
    if (!t.ok(row, `row of ${group.name()}`)) continue;
    const shown = [...row!.split('|')[2]!.matchAll(/`([^`]+)`/g)].map(([, text]) =>
      text!.replace(/ [A-Z_].*$/, ''),
    );
    const own = group.commands.length > 0 ? named(group) : [group.name()];
    for (const name of own)
      t.ok(
        shown.some((text) => text === name || text.startsWith(`${name} `)),
        `${group.name()} ${name}`,
      );
  }
  t.equal(rows.length, program.commands.length);
});

t.test('every global flag is in the table', async (t) => {
  for (const { long } of program.options) t.ok(page.includes(`\`${long}`), String(long));
});

t.test('every command says what it does', async (t) => {
  const walk = (command: Command): void => {
    t.ok(command.description().length > 0, command.name());
    for (const { description, flags } of command.options)
      t.ok(description.length > 0, `${command.name()} ${flags}`);
    for (const sub of command.commands) walk(sub);
  };
  walk(program);
  walk(operators);
});

t.test("every operator's command is on a page", async (t) => {
  const pages = readdirSync(docs)
    .filter((file) => file.endsWith('.md') && file !== 'changes.md')
    .map((file) => readFileSync(join(docs, file), 'utf8'))
    .join('\n');
  for (const command of operators.commands) {
    const name = command.name();
    t.ok(new RegExp(`\\bcochlea ${name}(?![\\w-])`).test(pages), `cochlea ${name}`);
  }
});

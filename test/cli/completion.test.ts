/** Tests completion in the installed shells, and the manual page. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { command, folder } from './support.js';

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;
const skip = (shell: string): string | false => (isThere(shell) ? false : `${shell} is not installed`);

/** Each case: a line up to the cursor, some completions that must be offered, and some that must not. */
const cases: readonly (readonly [line: string, offered: readonly string[], not: readonly string[]])[] = [
  ['cochlea-user ', ['auth', 'memory', 'goal', 'completion'], ['list', 'login']],
  ['cochlea-user mem', ['memory'], ['auth']],
  ['cochlea-user --json --profile memory memory ', ['list', 'create', 'delete'], ['auth', 'login']],
  ['cochlea-user config profile ', ['list', 'use', 'delete'], ['show']],
  ['cochlea-user memory list --s', ['--since'], ['--limit', '--tag']],
  ['cochlea-user memory create x --visibility ', ['private', 'public'], ['list', '--tag']],
  ['cochlea-user goal create x --type n', ['numeric'], ['scale']],
  ['cochlea-user completion z', [], ['bash']],
];

/** Runs every case. `complete` returns the completions of a shell for a line. */
const check = async (t: Test, complete: (line: string) => string[]): Promise<void> => {
  for (const [line, offered, not] of cases) {
    const words = complete(line);
    for (const word of offered) t.ok(words.includes(word), `"${line}" offers ${word}: ${words.join(' ')}`);
    for (const word of not) t.notOk(words.includes(word), `"${line}" does not offer ${word}`);
  }
};

const scriptFor = async (t: Test, shell: string): Promise<string> => {
  const { code, out, err } = await command(['completion', shell], {
    env: { COCHLEA_CONFIG: join(await folder(t), 'config.toml') },
  });
  t.equal(code, 0, err);
  const file = join(await folder(t), `completion.${shell}`);
  await writeFile(file, out);
  return file;
};

t.test('bash', { skip: skip('bash') }, async (t) => {
  const file = await scriptFor(t, 'bash');
  await check(t, (line) => {
    const words = line.split(' ');
    const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cochlea_user; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', file, ...words]);
    t.equal(String(stderr), '');
    return String(stdout).split('\n');
  });
});

t.test('fish', { skip: skip('fish') }, async (t) => {
  const file = await scriptFor(t, 'fish');
  await check(t, (line) => {
    const { stdout, stderr } = spawnSync('fish', ['-c', `source ${file}; complete -C '${line}'`]);
    t.equal(String(stderr), '');
    return String(stdout)
      .split('\n')
      .map((offer) => offer.split('\t')[0]!);
  });
});

t.test('zsh', { skip: skip('zsh') }, async (t) => {
  const file = await scriptFor(t, 'zsh');
  const { status, stderr } = spawnSync('zsh', ['-n', file]);
  t.equal(status, 0, String(stderr));
});

t.test('the manual page is valid and complete', { skip: skip('groff') }, async (t) => {
  const { out } = await command(['man'], { env: { COCHLEA_CONFIG: join(await folder(t), 'config.toml') } });
  // The options disable colours and overstruck characters, which print bold text.
  const plain = ['-P-c', '-P-b', '-P-o', '-P-u'];
  const { stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', ...plain], { input: out });
  t.equal(String(stderr), '', 'groff reports nothing');
  const page = String(stdout);
  for (const words of [
    'cochlea-user [flags] command',
    'memory create <content>',
    '--since <when>',
    'EXIT STATUS',
  ])
    t.match(page, words);
});

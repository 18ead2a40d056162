/** Runs commands in a pseudo-terminal, which script(1) of util-linux makes. */
import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import t from 'tap';
import { developerScopes } from '../../src/identity/scopes.js';
import { startApi } from '../sidecar/support.js';
import { until } from '../support/until.js';
import { folder, program } from './support.js';

const isUsable = spawnSync('script', ['--version']).stdout?.includes('util-linux') === true;
const skip = isUsable ? false : 'script(1) of util-linux is not installed';

t.test('cochlea-user in a terminal', { skip }, async (t) => {
  const api = await startApi(t);
  const { key } = await api.person(developerScopes);
  const config = join(await folder(t), 'config.toml');
  const { NO_COLOR: _, CI: __, ...inherited } = process.env;
  const env = { ...inherited, TERM: 'xterm-256color', COCHLEA_CONFIG: config, COCHLEA_API_BASE: api.base };

  /** Runs a command. Types the `keys` of each pair after its `shown` has appeared in the output. */
  const inTerminal = async (
    words: readonly string[],
    typed: readonly (readonly [shown: string, keys: string])[] = [],
  ): Promise<{ code: number; shown: string }> => {
    const line = [process.execPath, program, ...words].map((word) => `'${word}'`).join(' ');
    // The pseudo-terminal of script(1) has no size if script's own input is not a terminal.
    const child = spawn('script', ['-qec', `stty cols 120 rows 40; exec ${line}`, '/dev/null'], { env });
    t.teardown(() => child.kill('SIGKILL'));
    let shown = '';
    child.stdout.on('data', (chunk) => (shown += chunk));
    const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
    for (const [text, keys] of typed) {
      await until(async () => stripVTControlCharacters(shown).includes(text), text);
      child.stdin.write(keys);
    }
    return { code: await ended, shown };
  };

  const login = await inTerminal(
    ['auth', 'login'],
    [
      ['How do you sign in?', '\u001b[B\r'],
      ['Developer key', `${key}\r`],
    ],
  );
  t.equal(login.code, 0, login.shown);
  t.match(login.shown, 'Signed in to');
  t.notOk(login.shown.includes(key), 'the key is hidden');
  t.match(await readFile(config, 'utf8'), key);

  const created = await inTerminal(['--json', 'memory', 'create', 'Prefers the early train']);
  t.equal(created.code, 0, created.shown);
  const { id } = JSON.parse(created.shown) as { id: string };

  const listed = await inTerminal(['memory', 'list', '--all']);
  t.match(listed.shown, '\u001b[1mid\u001b[22m', 'a bold heading');
  // The progress line appears only during a long read, but it always hides the cursor.
  // A slow answer also shows its progress between these two sequences, which hide and show the cursor.
  const [, progress] = listed.shown.split('\u001b[?25l');
  t.match(progress, '\u001b[?25h', 'progress');
  t.match(listed.shown, 'Prefers the early train');
  const plain = await inTerminal(['--no-color', 'memory', 'list']);
  t.notMatch(plain.shown, '\u001b');

  for (const no of ['n', '\u0003']) {
    const declined = await inTerminal(['memory', 'delete', id], [[`Delete memory ${id}?`, no]]);
    t.equal(declined.code, 130);
    t.match(declined.shown, 'Aborted.');
  }
  t.equal((await api.call(`/v1/dev/user/memories/${id}`, { credential: key })).status, 200);
  const agreed = await inTerminal(['memory', 'delete', id], [[`Delete memory ${id}?`, 'y']]);
  t.equal(agreed.code, 0, agreed.shown);
  t.match(agreed.shown, `Deleted memory ${id}.`);
});

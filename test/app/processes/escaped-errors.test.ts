/** When an error escapes every handler, the process logs the error, closes in order, and exits with a failure. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const service = fileURLToPath(new URL('./escaping-service.js', import.meta.url));
const secret = 'meet me at the harbour';

const run = async (how: string) => {
  const child = spawn(process.execPath, [service, how, secret], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, string | null]>,
  ]);
  const lines = errors
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string; err?: { frames?: string[] } });
  return { output, errors, lines, code, signal };
};

t.test('closes in order and ends with exit code 1', async (t) => {
  for (const how of ['throw', 'rejection']) {
    const { output, errors, lines, code } = await run(how);
    t.equal(code, 1, how);
    t.equal(output, 'closing\nclosed\n');
    t.match(lines, [{ level: 60, msg: 'an error escaped: closing in order' }]);
    t.match(lines[0]!.err!.frames![0], /escaping-service/, 'the line says where');
    t.notMatch(errors, 'harbour', 'and nothing of the text');
  }
});

t.test('a second error ends the process at once', async (t) => {
  const { output, lines, signal } = await run('twice');
  t.equal(signal, 'SIGKILL');
  t.equal(output, 'closing\n');
  t.equal(lines.at(-1)!.msg, 'another error escaped: ending at once');
});

t.test('limits the time of a close that hangs', async (t) => {
  const { signal, lines } = await run('hangs');
  t.equal(signal, 'SIGKILL');
  t.equal(lines.at(-1)!.msg, 'not closed in time after an escaped error: ending at once');
});

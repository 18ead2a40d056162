/**
 * Tests logging while nothing reads standard error. Standard error is a pipe as from a shell, a socket as from
 * journald, and a file.
 */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const chatter = fileURLToPath(new URL('./chatter.js', import.meta.url));

const run = async (stderr: number | 'pipe'): Promise<{ code: number; dropped: [number, number] }> => {
  const child = spawn(process.execPath, [chatter], { stdio: ['ignore', 'pipe', stderr] });
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
  const said = await text(child.stdout!);
  const code = await ended;
  child.stderr?.destroy();
  return { code, dropped: JSON.parse(said) as [number, number] };
};

t.test('a process that logs to a reader that has stopped goes on, and ends', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cochlea-log-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));

  const fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const descriptor = openSync(fifo, constants.O_RDWR);
  const piped = await run(descriptor);
  closeSync(descriptor);
  t.equal(piped.code, 0);
  t.ok(piped.dropped[0] > 1000 && piped.dropped[1] > 2000, 'pipe: both threads drop');

  // Node connects its child processes by sockets.
  const socket = await run('pipe');
  t.equal(socket.code, 0);
  t.ok(socket.dropped[0] > 1000 && socket.dropped[1] > 1000, 'socket: both threads drop');

  const file = openSync(join(folder, 'file'), 'w');
  t.same(await run(file), { code: 0, dropped: [0, 0] }, 'file: nothing is dropped');
  closeSync(file);
  const lines = readFileSync(join(folder, 'file'), 'utf8').trim().split('\n');
  t.equal(lines.length, 6000);
});

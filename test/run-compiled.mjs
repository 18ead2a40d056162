/**
 * Lets tap's own runner take a test file, `npx tap test/ring/ring.test.ts`: the runner loads this before the file, and it
 * runs the compiled file in a process of its own instead.
 *
 * Tests start workers and processes from files beside them, which exist only compiled. And every thread and process that a
 * file starts would load the runner's TypeScript and mocking loaders, which costs more than most tests.
 */
import { spawn } from 'node:child_process';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = relative(root, process.argv[1] ?? '');

if (/^(dist.)?test.+\.test\.[jt]s$/.test(file)) {
  const compiled = file.startsWith(`dist${sep}`) ? file : join('dist', file.replace(/\.ts$/, '.js'));
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, compiled)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGALRM'])
    process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve) => child.once('close', (exit) => resolve(exit ?? 1)));
  process.exit(code);
}

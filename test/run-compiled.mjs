/**
 * Enables tap's own runner for a single test file: `npx tap test/ring/ring.test.ts`. The runner loads this before the
 * file, and this runs the compiled file in its own process instead.
 *
 * Tests start workers and processes from neighbouring files, which exist only compiled. Otherwise every thread and
 * process would also load the runner's TypeScript and mocking loaders, which cost more than most tests.
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

/**
 * Runs the whole suite on the compiled output and ends with one counted line, `N passed, N failed`.
 *
 * Arguments name parts of paths: `npm test -- front ring` runs only the files whose path contains one of them.
 * Files run one after the other: several start a database or load a model, and two cores would starve the timing-free
 * but patient waits of each.
 */
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Parser } from 'tap-parser';

const compiled = dirname(fileURLToPath(import.meta.url));
const checkout = join(compiled, '..', '..');

/** Compiled test files whose source still exists: a deleted test must not live on in `dist`. */
const testFiles = (): string[] =>
  readdirSync(compiled, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => existsSync(join(checkout, 'test', file.replace(/\.js$/, '.ts'))))
    .map((file) => relative(checkout, join(compiled, file)))
    .sort();

interface Totals {
  passed: number;
  failed: number;
  skipped: { name: string; reason: string }[];
}

/**
 * Reads a TAP stream: leaf assertions, and the reason of every skip. What a parent says of its subtest is counted only
 * where the parent failed although nothing inside did (a time-out, a missing plan).
 */
const count = (file: string): Promise<Totals> =>
  new Promise((resolve, reject) => {
    const totals: Totals = { passed: 0, failed: 0, skipped: [] };
    const follow = (parser: Parser): { failed: number } => {
      const own = { failed: 0 };
      let subtest: { failed: number } | undefined;
      const fail = (): void => {
        totals.failed++;
        own.failed++;
      };
      parser.on('child', (child: Parser) => {
        subtest = follow(child);
      });
      parser.on('assert', (result) => {
        const inside = subtest;
        subtest = undefined;
        if (result.skip) totals.skipped.push({ name: result.name, reason: String(result.skip) });
        else if (inside && inside.failed > 0) own.failed += inside.failed;
        else if (!result.ok) fail();
        else if (!inside) totals.passed++;
      });
      return own;
    };
    const root = new Parser();
    follow(root);
    root.on('complete', () => resolve(totals));
    createReadStream(file).on('error', reject).pipe(root);
  });

const main = async (): Promise<number> => {
  const wanted = process.argv.slice(2).filter((argument) => argument !== '--');
  const files = testFiles().filter(
    (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
  );
  if (files.length === 0) {
    process.stderr.write(`No test file matches ${wanted.join(', ')}.\n`);
    return 1;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'cochlea-tap-'));
  const results = join(scratch, 'results.tap');
  const tap = join(
    dirname(createRequire(import.meta.url).resolve('tap/package.json')),
    'dist',
    'esm',
    'run.mjs',
  );
  const reporter = process.stdout.isTTY ? 'base' : 'terse';
  const child = spawn(
    process.execPath,
    [tap, 'run', '--jobs=1', `--reporter=${reporter}`, `--output-file=${results}`, ...files],
    {
      cwd: checkout,
      stdio: 'inherit',
      env: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent' },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 1)));
  const totals = await count(results);
  rmSync(scratch, { recursive: true, force: true });
  for (const { name, reason } of totals.skipped) process.stdout.write(`skipped: ${name}: ${reason}\n`);
  const skipped = totals.skipped.length > 0 ? `, ${totals.skipped.length} skipped` : '';
  process.stdout.write(`${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
  return totals.failed > 0 || totals.passed === 0 ? 1 : code;
};

process.exitCode = await main();

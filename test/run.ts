/**
 * Runs the whole suite on the compiled output and ends with one counted line, `N passed, N failed`.
 *
 * A run without arguments leaves out the folders of `namedFolders`, which are stages of `.ci/run`. Arguments are parts
 * of paths: `npm test -- front ring` runs only files whose path contains one of them. `--quick` selects the files of
 * `quick.ts`. Every file runs in its own process, and uses its own databases on one PostgreSQL, which starts with the
 * first file that needs one. Two files run at a time, and more while the CPUs are idle, because most files mainly wait.
 * The files of `longest.ts` start first. Files that compare costs or times (`serial` in `.taprc`) run last, one after
 * the other. A hanging file is ended and counts as failed.
 *
 * A failed file runs once more at the end, alone. If it fails again, it counts as failed. If it passes then, it is
 * listed as unstable with its failures. Such a file shows a bug of the test or of the product that still must be found.
 * All failures are printed again before the counts, at the end of the log.
 *
 * A run without arguments, or with `--bundled`, executes bundled files (see `bundle.ts`). Its failures name lines of
 * the bundle, because reading the source maps would take a tenth of the time of a whole run. The second run of a failed
 * file executes the compiled file itself. Only in this second run do failures name lines of the source.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit, { type LimitFunction } from 'p-limit';
import { Parser } from 'tap-parser';
import { loadUws } from '../src/front/uws/build.js';
import { bundleSuite } from './bundle.js';
import { longestFiles } from './longest.js';
import { quickFiles } from './quick.js';
import { openMemoryFolder, openRunFolder, type RunFolder } from './run-folders.js';
import { suiteVariables } from './suite-variables.js';
import { shareDatabase } from './support/database/shared-database.js';
import { unbundledFiles } from './unbundled.js';

const compiled = dirname(fileURLToPath(import.meta.url));
const checkout = join(compiled, '..', '..');
/** Folders whose files run only if an argument selects them, because they use the whole machine for minutes. */
const namedFolders: readonly string[] = ['many-machines/'];
/** Time limit of one file, in ms. */
const fileTimeout = 420_000;
/**
 * Number of concurrent files. `busy` files may always run. Every `look` ms, if more than `idleShare` of the CPU time
 * was idle, one more file may start, until `idle` files run. Many files wait for speech in real time, and too many busy
 * files would delay them.
 */
const filesAtOnce = { busy: Math.min(2, availableParallelism()), idle: 7, idleShare: 1 / 7, look: 500 };
/**
 * Parts of the paths of files that run once with each listener, because they test input from unknown clients. For other
 * tests of the front, the conformance suite covers the second listener.
 */
const onBothListeners: readonly string[] = [
  'attack/framing',
  'attack/requests',
  'attack/slow-uploads',
  'attack/sockets',
  'attack/texts',
  'attack/tls',
  'front/proxy/event-streams',
  'front/streams/lifecycle',
  'front/proxy/pass-through',
  'front/streams/refusals',
  'front/streams/unauthenticated',
];
/**
 * Environment variables of the two runs of the files in `onBothListeners`. uWebSockets.js is tested even if its build
 * fails the self-test on this machine, because other builds run the same code on other machines.
 */
const passes: readonly NodeJS.ProcessEnv[] = [
  ...(typeof loadUws() === 'string' ? [] : [{ COCHLEA_LISTENER: 'uws-untested' }]),
  { COCHLEA_LISTENER: 'ws' },
];
/**
 * Sources of the files that run alone, in this runner and in tap's own runner. Other files would disturb their
 * measurements.
 */
const alone = new Set<string>(
  JSON.parse(/^serial: (\[[^\]]*\])/m.exec(readFileSync(join(checkout, '.taprc'), 'utf8'))![1]!),
);

/** Returns compiled test files with an existing source, so that a deleted test is not run from `dist`. */
const testFiles = (): string[] =>
  readdirSync(compiled, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => existsSync(join(checkout, 'test', file.replace(/\.js$/, '.ts'))))
    .map((file) => relative(checkout, join(compiled, file)))
    .sort()
    .sort((one, other) => turnOf(one) - turnOf(other));

/** Returns the position of a file in the starting order. Files outside `longest.ts` come last, by name. */
const turnOf = (file: string): number => {
  const turn = longestFiles.indexOf(file.replace(/^dist\/test\//, '').replace(/\.test\.js$/, ''));
  return turn < 0 ? longestFiles.length : turn;
};

const sourceOf = (file: string): string => file.replace(/^dist\//, '').replace(/\.js$/, '.ts');

interface Totals {
  passed: number;
  /** CPU seconds of the file's process and of the children that it waited for. Undefined without `/proc`. */
  cpu?: number;
  failed: number;
  readonly failures: string[];
  readonly skips: string[];
  readonly comments: string[];
}

/**
 * Counts a TAP stream: leaf assertions, and the reason of every skip. The failure of a parent test counts only if none
 * of its inner tests failed. Examples are a time-out and a missing plan.
 */
const follow = (parser: Parser, totals: Totals, path = ''): { failed: number } => {
  const own = { failed: 0 };
  let subtest: { failed: number } | undefined;
  parser.on('child', (child: Parser) => {
    subtest = follow(child, totals, `${path}${child.name} > `);
  });
  parser.on('comment', (comment: string) => {
    // Skips the framework's own timing comments.
    if (!/^\s*#\s*(Subtest|time=|\{ total)/.test(comment)) totals.comments.push(comment.trim());
  });
  parser.on('assert', (result) => {
    const inside = subtest;
    subtest = undefined;
    if (result.skip) totals.skips.push(`${path}${result.name}: ${String(result.skip)}`);
    else if (inside && inside.failed > 0) own.failed += inside.failed;
    else if (!result.ok) {
      totals.failed++;
      own.failed++;
      totals.failures.push(`${path}${result.name}\n${JSON.stringify(result.diag ?? {}, null, 2)}`);
    } else if (!inside) totals.passed++;
  });
  return own;
};

/** A test file, and its extra environment variables. */
type Run = readonly [file: string, extra: NodeJS.ProcessEnv];

/** Returns one or two runs of a file. If the caller sets `COCHLEA_LISTENER`, every file runs once, with that listener. */
const runsOf = (file: string): Run[] =>
  process.env.COCHLEA_LISTENER === undefined && onBothListeners.some((part) => file.includes(part))
    ? passes.map((extra): Run => [file, extra])
    : [[file, {}]];

/** Returns the CPU time in seconds of all reaped children and their descendants (fields 16 and 17 of proc(5), in ticks of 10 ms). */
const endedChildrenCpu = (): number | undefined => {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return undefined;
  }
};
let cpuBefore = endedChildrenCpu();
/**
 * Returns the CPU time of the child that has just ended. If two children end in the same turn of the event loop, the
 * first call returns the time of both.
 */
const takeEndedCpu = (): number | undefined => {
  const now = endedChildrenCpu();
  const used = now === undefined || cpuBefore === undefined ? undefined : now - cpuBefore;
  cpuBefore = now;
  return used;
};

const running = new Set<ChildProcess>();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exitCode = 130;
    interrupted = true;
  });
}

/** Runs a file. @param words the file that Node executes, and the options before it. */
const runFile = (words: readonly string[], extra: NodeJS.ProcessEnv): Promise<Totals> =>
  new Promise((resolve) => {
    const totals: Totals = { passed: 0, failed: 0, failures: [], skips: [], comments: [] };
    const child = spawn(process.execPath, words, {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...suiteVariables(), ...extra },
    });
    running.add(child);
    const parser = new Parser();
    follow(parser, totals);
    child.stdout.pipe(parser);
    const timer = setTimeout(() => {
      totals.failures.push(`still running after ${fileTimeout / 1000} s`);
      child.kill('SIGKILL');
    }, fileTimeout);
    const parsed = new Promise<void>((done) => parser.on('complete', () => done()));
    child.once('exit', () => {
      const cpu = takeEndedCpu();
      if (cpu !== undefined) totals.cpu = cpu;
    });
    child.once('close', async (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      await parsed;
      if (totals.failed === 0 && (code !== 0 || totals.failures.length > 0)) {
        totals.failed++;
        totals.failures.push(`ended with ${signal ?? code}`);
      }
      resolve(totals);
    });
  });

const nameOf = ([file, extra]: Run): string => {
  const variables = Object.entries(extra).map(([variable, value]) => ` with ${variable}=${value}`);
  return `${sourceOf(file)}${variables.join('')}`;
};

const reportFailures = ({ failures }: Totals): void => {
  for (const failure of failures) process.stdout.write(`  failed: ${failure.replace(/\n/g, '\n    ')}\n`);
};

const report = (one: Run, totals: Totals, took: number): void => {
  const verdict = totals.failed === 0 ? 'ok' : 'NOT OK';
  const cpu = totals.cpu === undefined ? '' : `, ${totals.cpu.toFixed(1)} s of CPU`;
  const counts = `${totals.passed} passed, ${totals.failed} failed, ${(took / 1000).toFixed(1)} s${cpu}`;
  process.stdout.write(`${verdict} ${nameOf(one)} (${counts})\n`);
  for (const comment of totals.comments) process.stdout.write(`  ${comment}\n`);
  for (const skip of totals.skips) process.stdout.write(`  skipped: ${skip}\n`);
  reportFailures(totals);
};

/** Returns the time counters of all CPUs together since the machine started, in ms. */
const processorTimes = (): { idle: number; total: number } => {
  const sum = { idle: 0, total: 0 };
  for (const { times } of cpus()) {
    sum.idle += times.idle;
    for (const time of Object.values(times)) sum.total += time;
  }
  return sum;
};

/** Returns the idle share of the CPU time since `before`. */
const idleSince = (before: { idle: number; total: number }): number => {
  const now = processorTimes();
  return now.total > before.total ? (now.idle - before.idle) / (now.total - before.total) : 0;
};

interface Bundle {
  /** The bundled path of each compiled test file. */
  readonly places: ReadonlyMap<string, string>;
  remove(): void;
}

/** Bundles the test files into a folder of this run, and prints the duration. */
const bundle = async (files: readonly string[]): Promise<Bundle> => {
  const start = performance.now();
  const { path: folder, remove } = openRunFolder(join(checkout, 'build'), 'bundled-suite-', 0o755);
  const tests = files
    .filter((file) => !unbundledFiles.some((unbundled) => file === `dist/test/${unbundled}.test.js`))
    .map((file) => join(checkout, file));
  try {
    const places = await bundleSuite(tests, join(checkout, 'dist'), checkout, folder);
    process.stdout.write(`bundled in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
    return { places, remove };
  } catch (error) {
    remove();
    throw error;
  }
};
const noBundle: Bundle = { places: new Map(), remove: () => undefined };

/**
 * Adjusts the number of concurrent files to the idle CPU time, see `filesAtOnce`. @returns a function that stops this.
 */
const useIdleProcessors = (limit: LimitFunction): (() => void) => {
  let before = processorTimes();
  const timer = setInterval(() => {
    const isIdle = idleSince(before) > filesAtOnce.idleShare;
    before = processorTimes();
    limit.concurrency = isIdle ? Math.min(filesAtOnce.idle, limit.activeCount + 1) : filesAtOnce.busy;
  }, filesAtOnce.look);
  return () => clearInterval(timer);
};

/** Removes the temporary files of the run. Prints files that tests should have removed. */
const removeTemporary = (folder: RunFolder): void => {
  const left = readdirSync(folder.path);
  if (left.length > 0) process.stdout.write(`left in the temporary folder: ${left.join(', ')}\n`);
  folder.remove();
};

const usage = `Usage: npm test [-- PART...] [--quick] [--bundled]

Runs the test files whose path contains one of the parts, or all files but those of many-machines.

  --quick    runs only the files of test/quick.ts
  --bundled  bundles the files, as a run of all files does
`;

const main = async (): Promise<number> => {
  const words = process.argv.slice(2).filter((argument) => argument !== '--');
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  const wanted = words
    .filter((argument) => argument !== '--bundled')
    .flatMap((argument) => (argument === '--quick' ? quickFiles.map((part) => `test/${part}`) : argument));
  const files = testFiles().filter((file) =>
    wanted.length === 0
      ? !namedFolders.some((folder) => file.startsWith(`dist/test/${folder}`))
      : wanted.some((part) => file.includes(part)),
  );
  if (files.length === 0) {
    process.stderr.write(`No test file matches ${wanted.join(', ')}.\n`);
    return 1;
  }
  const since = performance.now();
  const processorsBefore = processorTimes();
  const bundled = wanted.length === 0 || words.includes('--bundled') ? await bundle(files) : noBundle;
  const first: (readonly [Run, Totals])[] = [];
  const temporary = openMemoryFolder();
  // The variable applies to the shared server, which this process starts, and to the test files, which inherit it.
  if (temporary) process.env.TMPDIR = temporary.path;
  const database = await shareDatabase();
  const run = async (one: Run, isSecond = false): Promise<Totals> => {
    const [file, extra] = one;
    const start = performance.now();
    const executed = isSecond
      ? ['--enable-source-maps', file]
      : [bundled.places.get(join(checkout, file)) ?? file];
    const totals = await runFile(executed, { ...database.env, ...extra });
    report(one, totals, performance.now() - start);
    return totals;
  };
  const runUnlessInterrupted = async (one: Run): Promise<void> => {
    if (!interrupted) first.push([one, await run(one)]);
  };
  const runs = files.flatMap(runsOf);
  const isAlone = ([file]: Run): boolean => alone.has(sourceOf(file));
  const limit = pLimit(filesAtOnce.busy);
  const stop = useIdleProcessors(limit);
  const together = runs.filter((one) => !isAlone(one));
  await limit.map(together, runUnlessInterrupted);
  stop();
  for (const one of runs.filter(isAlone)) await runUnlessInterrupted(one);

  const counted: Totals[] = [];
  const failures: (readonly [string, Totals])[] = [];
  for (const [one, totals] of first) {
    const again = totals.failed > 0 && !interrupted ? await run(one, true) : totals;
    counted.push(again);
    if (again.failed > 0) failures.push([`failed: ${nameOf(one)}`, again]);
    else if (totals.failed > 0)
      failures.push([`unstable, failed and then passed alone: ${nameOf(one)}`, totals]);
  }
  await database.close();
  bundled.remove();
  if (temporary) removeTemporary(temporary);
  for (const [line, totals] of failures) {
    process.stdout.write(`${line}\n`);
    reportFailures(totals);
  }
  const sum = (of: (totals: Totals) => number): number =>
    counted.reduce((total, totals) => total + of(totals), 0);
  const failed = sum((totals) => totals.failed);
  const passed = sum((totals) => totals.passed);
  const skipped = sum((totals) => totals.skips.length);
  const minutes = (performance.now() - since) / 60_000;
  const idle = idleSince(processorsBefore) * 100;
  process.stdout.write(`took ${minutes.toFixed(1)} min, processors ${idle.toFixed(0)} % idle\n`);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return failed > 0 || passed === 0 || interrupted ? 1 : 0;
};

process.exitCode = await main();

/**
 * Mutates the handlers of `groups.ts` in one place at a time and runs their tests, which must fail: `npm run
 * mutations`. Arguments are parts of groups' names; `--list` prints the changes. It fails if the tests of a group
 * detect less than 90 % of them.
 *
 * The sources are changed and compiled one by one in a copy of `dist`. So a change can remove a condition of an SQL
 * statement or an argument, which are the usual causes of an ignored filter. General tools of this kind change
 * neither.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { suiteVariables } from '../suite-variables.js';
import { shareDatabase } from '../support/database/shared-database.js';
import { acceptedSources } from './compiler.js';
import { type Group, groups } from './groups.js';
import { applied, described, type Mutant } from './mutant.js';
import { openSandbox, type Sandbox } from './sandbox.js';
import { sourceMutants } from './source-mutants.js';

const checkout = packageDirectory();
const leastKilled = 0.9;
const atOnce = 2;
/** Time limit of a test file with a change: `times` its time without the change, plus `more` ms. A change can make a test wait for ever. */
const longer = { times: 4, more: 15_000 };

interface Placed extends Mutant {
  readonly file: string;
  readonly source: string;
  /** The source text with the change. */
  readonly text: string;
}

/** Returns the changes of a group. @throws Error for an entry of `equivalent` that matches no change. */
const changesOf = ({ name, handlers, equivalent = {} }: Group): Placed[] => {
  const changes = handlers.flatMap(({ file, within, only }) => {
    const source = readFileSync(join(checkout, file), 'utf8');
    return sourceMutants(source, { within, only }).map((mutant) => {
      return { ...mutant, file, source, text: applied(source, mutant) };
    });
  });
  const known = new Set(changes.map((one) => described(one.source, one)));
  for (const change of Object.keys(equivalent))
    if (!known.has(change)) throw new Error(`${name}: there is no change ${change}`);
  return changes.filter((one) => !Object.hasOwn(equivalent, described(one.source, one)));
};

const shown = (mutant: Placed): string =>
  `${mutant.file}:${mutant.line}  ${described(mutant.source, mutant)}`;

/** Runs a test file. @param timeout time limit in ms. @returns whether it passes. */
const passes = ({ path }: Sandbox, test: string, env: NodeJS.ProcessEnv, timeout: number): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(path, 'dist', 'test', `${test}.test.js`)],
      {
        cwd: path,
        timeout,
        killSignal: 'SIGKILL',
        maxBuffer: Number.POSITIVE_INFINITY,
        env: { ...suiteVariables(), ...env, TAP_BAIL: '1' },
      },
      (error) => resolve(error === null),
    );
  });

interface Result {
  readonly group: string;
  readonly mutants: number;
  readonly survivors: readonly Placed[];
}

/** Measures the time of each test file without a change. @throws Error if a test fails. */
const timesOf = async (sandbox: Sandbox, tests: readonly string[], env: NodeJS.ProcessEnv) => {
  const times = new Map<string, number>();
  for (const test of tests) {
    const start = performance.now();
    if (!(await passes(sandbox, test, env, 300_000))) throw new Error(`${test} fails without a change`);
    times.set(test, performance.now() - start);
  }
  return times;
};

const runGroup = async (
  group: Group,
  mutants: readonly Placed[],
  free: Sandbox[],
  env: NodeJS.ProcessEnv,
): Promise<Result> => {
  const times = await timesOf(free[0]!, group.tests, env);
  const survives = async (mutant: Placed): Promise<boolean> => {
    const sandbox = free.pop()!;
    const restore = sandbox.replace(mutant.file, mutant.text);
    try {
      for (const test of group.tests) {
        const timeout = Math.ceil(times.get(test)! * longer.times + longer.more);
        if (!(await passes(sandbox, test, env, timeout))) return false;
      }
      process.stdout.write(`survived: ${shown(mutant)}\n`);
      return true;
    } finally {
      restore();
      free.push(sandbox);
    }
  };
  const limit = pLimit(atOnce);
  const survived = await Promise.all(mutants.map((mutant) => limit(survives, mutant)));
  return {
    group: group.name,
    mutants: mutants.length,
    survivors: mutants.filter((_, index) => survived[index]),
  };
};

const shareOf = (mutants: number, survivors: number): number => (mutants - survivors) / mutants;

/** Prints a line and returns whether enough changes were detected. */
const report = (name: string, mutants: number, survivors: number): boolean => {
  const share = shareOf(mutants, survivors);
  const percent = (100 * share).toFixed(1);
  process.stdout.write(
    `${name.padEnd(24)} ${mutants} mutants, ${mutants - survivors} killed, ${survivors} survived: ${percent} %\n`,
  );
  return share >= leastKilled;
};

const main = async (): Promise<boolean> => {
  const given = process.argv.slice(2);
  const words = given.filter((word) => word !== '--list');
  const chosen = groups.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new Error(`no group is called ${words.join(', ')}`);
  const changes = chosen.map((group) => ({ group, mutants: changesOf(group) }));
  const accepted = new Set(
    acceptedSources(
      checkout,
      changes.flatMap(({ mutants }) => mutants),
    ),
  );
  const work = changes.map(({ group, mutants }) => ({
    group,
    mutants: mutants.filter((mutant) => accepted.has(mutant)),
  }));
  if (given.includes('--list')) {
    for (const { mutants } of work) for (const mutant of mutants) process.stdout.write(`${shown(mutant)}\n`);
    return true;
  }
  setPriority(10);
  const sandboxes = Array.from({ length: atOnce }, () => openSandbox(checkout));
  const database = await shareDatabase();
  const results: Result[] = [];
  try {
    for (const { group, mutants } of work) {
      const result = await runGroup(group, mutants, [...sandboxes], database.env);
      report(group.name, mutants.length, result.survivors.length);
      results.push(result);
    }
  } finally {
    await database.close();
    for (const sandbox of sandboxes) sandbox.remove();
  }
  const sum = (of: (result: Result) => number) => results.reduce((total, one) => total + of(one), 0);
  const enough = results.map(({ group, mutants, survivors }) => report(group, mutants, survivors.length));
  const all = report(
    'all',
    sum(({ mutants }) => mutants),
    sum(({ survivors }) => survivors.length),
  );
  const failed = enough.filter((one) => !one).length;
  process.stdout.write(`${enough.length - failed} passed, ${failed} failed\n`);
  return failed === 0 && all;
};

process.exitCode = (await main()) ? 0 : 1;

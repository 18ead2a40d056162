/** The comparison of two reports must reveal a detector that computes everything twice. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import type { Change, Compared } from '../../bench/report/compare.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { native } from '../audio/support.js';

const run = promisify(execFile);
const bench = fileURLToPath(new URL('../../bench/index.js', import.meta.url));
const build = join(packageDirectory(), 'build');
const slow = join(build, 'test-addons', 'cochlea-slow-detector.node');

const skip =
  'missing' in native
    ? `the native core is not built: ${native.missing}`
    : spawnSync('cmake', ['--version']).status !== 0 && 'there is no cmake to build the slow detector with';

/** Number of attempts. A fault counts only if it occurs in every attempt. */
const attempts = 3;

interface Attempt {
  /** Rows of the product's own detector in readable form, for the message of a failure. */
  readonly told: readonly string[];
  /** Rows of the product's own detector with noise below the difference that must be found. */
  readonly able: readonly string[];
  /** Rows of `able` that are not marked as worse. */
  readonly missed: readonly string[];
  /** Rows of the product's own detector that are marked as better, or are in only one report. */
  readonly wrong: readonly string[];
  readonly others: number;
  /** Rows independent of the detector that are marked as worse than both normal measurements. */
  readonly falselyWorse: readonly string[];
  /** Whether `compare --fail` exited with 1 and named a row of the product's own detector. */
  readonly failed: boolean;
}

t.test(
  'a detector of half the speed is marked, and no cost that does not depend on it',
  { skip },
  async (t) => {
    await run('cmake', ['--build', build, '--target', 'cochlea-slow-detector'], { maxBuffer: 2 ** 24 });
    const folder = t.testdir();
    const measure = async (name: string, addon: string | undefined): Promise<string> => {
      const json = join(folder, `${name}.json`);
      const { COCHLEA_TEST_ADDON: _, ...env } = process.env;
      await run(
        process.execPath,
        [bench, 'micro', '--only', 'vad', 'cosine', '--rounds', '6', '--json', json],
        {
          env: addon === undefined ? env : { ...env, COCHLEA_TEST_ADDON: addon },
          maxBuffer: 2 ** 24,
        },
      );
      return json;
    };
    const compare = async (first: string, second: string): Promise<readonly Change[]> => {
      const json = `${second.replace(/\.json$/, '')}-changes.json`;
      await run(process.execPath, [bench, 'compare', first, second, '--json', json]);
      return (JSON.parse(readFileSync(json, 'utf8')) as Compared).changes;
    };
    const fails = async (first: string, second: string): Promise<boolean> => {
      const ended = await run(process.execPath, [
        ...[bench, 'compare', first, second, '--contender', 'cochlea', '--fail'],
      ]).catch((error: { code: unknown; stdout: string }) => error);
      return 'code' in ended && ended.code === 1 && /us_per_window .* worse\n/.test(ended.stdout);
    };
    const attempt = async (number: number): Promise<Attempt> => {
      // Measures the slow detector between two normal measurements. Disturbances by other programs then differ between the two
      // comparisons.
      const before = await measure(`before-${number}`, undefined);
      const after = await measure(`after-${number}`, slow);
      const again = await measure(`again-${number}`, undefined);
      const failed = await fails(before, after);
      const compared = await compare(before, after);
      const keyOf = ({ suite, contender, what }: Change): string => JSON.stringify([suite, contender, what]);
      const worseAgain = new Set(
        (await compare(again, after)).filter(({ verdict }) => verdict === 'worse').map(keyOf),
      );
      const depends = compared.filter(({ suite, contender }) => suite === 'vad' && contender === 'cochlea');
      const rest = compared.filter((change) => !depends.includes(change));
      // A row with more noise than the change need not be marked as worse. A row with less noise must be marked.
      const able = depends.filter(({ noise }) => noise !== undefined && noise < 0.5);
      return {
        told: depends.map(
          ({ what, ratio, noise, verdict }) => `${what} ${ratio} (noise ${noise}): ${verdict}`,
        ),
        able: able.map(keyOf),
        missed: able.filter(({ verdict }) => verdict !== 'worse').map(keyOf),
        wrong: depends.filter(({ verdict }) => verdict === 'better' || verdict.startsWith('only')).map(keyOf),
        others: rest.length,
        falselyWorse: rest
          .filter((change) => change.verdict === 'worse' && worseAgain.has(keyOf(change)))
          .map(keyOf),
        failed,
      };
    };
    // A program that is busy during only one measurement can slow any row. A fault of the comparison affects the same row each time. So a
    // row counts only if every attempt has it.
    const made: Attempt[] = [];
    const inAll = (rows: (made: Attempt) => readonly string[]): readonly string[] =>
      made.map(rows).reduce((left, right) => left.filter((row) => right.includes(row)));
    const clean = ({ able, missed, wrong, falselyWorse, failed }: Attempt): boolean =>
      failed && able.length >= 8 && missed.length + wrong.length + falselyWorse.length === 0;
    do made.push(await attempt(made.length));
    while (made.length < attempts && !clean(made.at(-1) as Attempt));
    const all = { made };
    const sure = new Set(made.flatMap(({ able }) => able));
    if (sure.size < 8) {
      const skip = `this machine is too busy to tell: ${sure.size} rows were sure enough in ${made.length} attempts`;
      t.pass('the slow detector is flagged', { skip });
      return;
    }
    t.ok(
      made.some(({ failed }) => failed),
      'the command fails and names a row',
      all,
    );
    t.same(
      inAll(({ missed }) => missed),
      [],
      'and all of them tell',
      all,
    );
    t.same(
      inAll(({ wrong }) => wrong),
      [],
      'no row of the slow detector is better or missing',
      all,
    );
    t.ok(
      made.every(({ others }) => others >= 8),
      'other detectors, and what has nothing to do with any',
    );
    t.same(
      inAll(({ falselyWorse }) => falselyWorse),
      [],
      'nothing else is worse',
      all,
    );
  },
);

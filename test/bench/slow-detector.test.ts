/** A detector that computes everything twice has to be found out by comparing two reports. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import type { Change, Compared } from '../../bench/report/compare.js';
import { packageDirectory } from '../../src/config/data-dir.js';
import { native } from '../audio/support.js';

const run = promisify(execFile);
const bench = fileURLToPath(new URL('../../bench/index.js', import.meta.url));
const build = join(packageDirectory(), 'build');
const slow = join(build, 'test-addons', 'cochlea-slow-detector.node');

const skip =
  'missing' in native
    ? `the native core is not built: ${native.missing}`
    : spawnSync('cmake', ['--version']).status !== 0 && 'there is no cmake to build the slow detector with';

t.test(
  'a detector of half the speed is flagged, and nothing that does not depend on it',
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
    // The slow one between two of the others: what the machine's neighbours did meanwhile differs from both, too, but not alike.
    const before = await measure('before', undefined);
    const after = await measure('after', slow);
    const again = await measure('again', undefined);
    const compareWith = async (first: string, name: string): Promise<Compared> => {
      const json = join(folder, `${name}-changes.json`);
      await run(process.execPath, [bench, 'compare', first, after, '--json', json]);
      return JSON.parse(readFileSync(json, 'utf8')) as Compared;
    };
    await t.rejects(
      run(process.execPath, [bench, 'compare', before, after, '--contender', 'cochlea', '--fail']),
      { code: 1, stdout: /us_per_window .* worse\n/ },
    );
    const compared = await compareWith(before, 'before');
    const comparedAgain = await compareWith(again, 'again');
    const keyOf = ({ suite, contender, what }: Change): string => JSON.stringify([suite, contender, what]);
    const worseAgain = new Set(comparedAgain.changes.filter(({ verdict }) => verdict === 'worse').map(keyOf));
    const depends = compared.changes.filter(
      ({ suite, contender }) => suite === 'vad' && contender === 'cochlea',
    );
    const rest = compared.changes.filter((change) => !depends.includes(change));
    const flagged = depends.filter(({ verdict }) => verdict === 'worse');
    const told = depends.map(
      ({ what, ratio, noise, verdict }) => `${what} ${ratio} (noise ${noise}): ${verdict}`,
    );
    // A row whose own rounds scattered more than the change is rightly left unmarked; one that could tell has to.
    const able = depends.filter(({ noise }) => noise !== undefined && noise < 0.5);
    t.ok(able.length >= 8, `${able.length} of ${depends.length} rows are sure enough to tell`, { told });
    t.same(
      able.filter((change) => !flagged.includes(change)),
      [],
      'and all of them tell',
    );
    t.ok(depends.every(({ verdict }) => verdict !== 'better' && !verdict.startsWith('only')));
    t.ok(rest.length >= 8, 'other detectors, and what has nothing to do with any');
    t.same(
      rest.filter((change) => change.verdict === 'worse' && worseAgain.has(keyOf(change))),
      [],
    );
  },
);

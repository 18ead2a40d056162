import type { LoadView } from '../fleet/live-view.js';
import type { Settings, SuiteOutcome } from '../report/envelope.js';
import type { ReportFiles } from '../report/index.js';
import { failOn, type LoadArguments } from './fleet-options.js';
import { reportSuite } from './report-suite.js';

/** How a suite shows what it does, and what ends it early. */
export interface Watched {
  readonly view: LoadView;
  readonly signal: AbortSignal;
}

/**
 * Runs a suite that loads a server: with a live view, interruptible, reported. It fails where the suite or a `--fail-if`
 * says so. What loads servers is imported here, so that help does not wait for it.
 * @param settings what decides the results and is no field of theirs.
 */
export const runLoadSuite = async (
  suite: string,
  options: LoadArguments & ReportFiles,
  settings: Settings,
  run: (watched: Watched) => Promise<SuiteOutcome & { readonly failures?: readonly string[] }>,
): Promise<void> => {
  const [{ openView }, { interruptible }, { failuresOf }] = await Promise.all([
    import('../fleet/live-view.js'),
    import('../fleet/interruption.js'),
    import('../fleet/thresholds.js'),
  ]);
  const { failures = [], results } = await interruptible((signal) =>
    reportSuite(suite, options, settings, () =>
      run({ view: openView(process.stderr, options.live), signal }),
    ),
  );
  failOn([...failures, ...failuresOf(options.failIf, results)]);
};

import type { LoadView } from '../fleet/live-view.js';
import type { Settings, SuiteOutcome } from '../report/envelope.js';
import type { ReportFiles } from '../report/index.js';
import { failOn, type LoadArguments } from './fleet-options.js';
import { reportSuite } from './report-suite.js';

/** The progress view of a suite, and the signal that ends the suite early. */
export interface Watched {
  readonly view: LoadView;
  readonly signal: AbortSignal;
}

/**
 * Runs a suite that loads a server. It shows a live view, can be interrupted and writes a report. The run fails if the
 * suite reports failures or a `--fail-if` condition is met.
 *
 * The code for the load is imported only here, so that `--help` answers fast.
 * @param settings settings that affect the results but are not fields of the rows.
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

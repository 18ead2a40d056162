import { Command, Option } from 'commander';
import { failOn } from '../../command-line/fleet-options.js';
import { reportSuite, withReportOptions } from '../../command-line/report-suite.js';
import { wholeNumber } from '../../command-line/whole-number.js';
import { documentedRule, positionsRule, wordRule } from '../../oracle/resend-rules.js';
import type { ReportFiles } from '../../report/index.js';

interface Options extends ReportFiles {
  readonly kills: number;
  readonly streams: number;
  readonly engines: number;
  readonly seed: number;
  readonly resend: keyof typeof rules;
}

/**
 * Seconds of `lag` for `documentedRule`. The stub transcriber answers at once, so a word is only delayed until its
 * utterance ends.
 */
const lag = 0.5;

const rules = { positions: positionsRule, words: wordRule, times: () => documentedRule(lag) } as const;

const run = async ({ kills, streams, engines, seed, resend, ...files }: Options): Promise<void> => {
  const [{ runFleetKill }, { interruptible }] = await Promise.all([
    import('../../suites/fleet-kill.js'),
    import('../../fleet/interruption.js'),
  ]);
  const { failures } = await interruptible((signal) =>
    reportSuite('fleet-kill', files, { stt: 'tokens', engines, seed, resend }, (tell) =>
      runFleetKill({
        kills,
        streams,
        engines,
        seed,
        settings: { INTERIM_WORDS: 'false' },
        rule: rules[resend],
        tell,
        signal,
      }),
    ),
  );
  failOn([...failures]);
};

export const fleetKillCommand = (): Command =>
  withReportOptions(
    new Command('fleet-kill')
      .description('kills parts of a fleet while wearables speak: tests that each word is stored once')
      .option('--kills <number>', 'number of faults', wholeNumber, 100)
      .option('--streams <number>', 'number of wearables', wholeNumber, 300)
      .option('--engines <number>', 'number of engines', wholeNumber, 3)
      .option('--seed <number>', 'decides the faults and the speech', wholeNumber, 1)
      .addOption(
        new Option(
          '--resend <rule>',
          'what a wearable sends again: audio behind the confirmed position, words without a segment, or audio by its time',
        )
          .choices(Object.keys(rules))
          .default('positions'),
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench fleet-kill
  $ cochlea bench fleet-kill --kills 10 --streams 40 --json kills.json

Brings up a fleet on this machine: PostgreSQL with a standby, three NATS servers, HAProxy, engines, two sidecars, two transcribers.
Of 100 faults, 50 kill an engine (25 with its disk), 15 a sidecar, 10 a transcriber, 10 a NATS server; 10 promote the standby,
5 reload the balancer. Fails if a spoken word is not stored exactly once, or if a conversation is not summarised once.`,
    )
    .action(run);

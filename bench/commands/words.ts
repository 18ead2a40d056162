import { Command, Option } from 'commander';
import { pausesOf } from '../command-line/pauses.js';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { wholeNumber } from '../command-line/whole-number.js';
import { wholeNumbers } from '../command-line/whole-numbers.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';
import { type Pauses, shortPauses } from '../words/material.js';

interface Options extends ReportFiles {
  readonly streams: readonly number[];
  readonly seconds: number;
  readonly interim: boolean;
  readonly peer?: string;
  readonly pauses: Pauses;
  readonly cpus?: string;
}

export const wordsCommand = (): Command =>
  withReportOptions(
    new Command('words')
      .description('delay from a spoken word to its text on the socket')
      .addOption(
        new Option('--streams <numbers>', 'numbers of people who speak at once, one row each')
          .argParser(wholeNumbers)
          .default([1, 8], '1,8'),
      )
      .option('--seconds <number>', 'seconds that each person speaks', wholeNumber, 60)
      .addOption(
        new Option('--pauses <least,most>', 'ms between two utterances of a person')
          .argParser(pausesOf)
          .default(shortPauses, `${shortPauses.least},${shortPauses.most}`),
      )
      .option('--no-interim', 'final words only (INTERIM_WORDS=false)')
      .addOption(
        new Option(
          '--peer <name>',
          'decoder to use instead, for the same utterances; needs python3 with venv and a package registry',
        ).choices(['faster-whisper']),
      )
      .option('--cpus <list>', 'CPUs that the server may run on, in the syntax of taskset'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench words
  $ cochlea bench words --streams 1,8,16 --seconds 90 --json words.json
  $ cochlea bench words --streams 40,48,56 --pauses 700,1500    with pauses in which utterances end
  $ cochlea bench words --streams 4 --pauses 700,1500 --peer faster-whisper

An utterance has its final text when all of its words are shown in their final form. The lag of a word is the time from its end
(forced alignment with pocketsphinx) until its final form is shown. A revision is a word that was shown and later changed.
CPU is that of all processes, including the database, per second of speech.`,
    )
    .action(async ({ streams, seconds, interim, pauses, peer, cpus, ...files }: Options) => {
      const { runWords } = await import('../suites/speech/words.js');
      const { results } = await interruptible((signal) =>
        reportSuite('words', files, { stt: 'local' }, (tell) =>
          runWords({ streams, seconds, interim, pauses, peer: peer !== undefined, cpus, tell, signal }),
        ),
      );
      if (results.length === 0) process.exitCode = 1;
    });

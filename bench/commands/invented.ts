import { Command, Option } from 'commander';
import { reportSuite, withReportOptions } from '../command-line/report-suite.js';
import { interruptible } from '../fleet/interruption.js';
import type { ReportFiles } from '../report/write.js';
import type { Half } from '../sounds/set.js';
import type { Way } from '../sounds/transcriber.js';

interface Options extends ReportFiles {
  readonly models: string;
  readonly way?: Way;
  readonly half?: Half;
  readonly sounds?: string;
}

export const inventedCommand = (): Command =>
  withReportOptions(
    new Command('invented')
      .description('words that speech models write for music, noise, babble and other sounds without words')
      .option('--models <names>', 'speech models, separated by commas', 'whisper-tiny.en,whisper-base')
      .addOption(new Option('--way <name>', 'one way to the model only').choices(['gate', 'direct']))
      .addOption(
        new Option('--half <name>', 'one half of the sounds only').choices(['choosing', 'validating']),
      )
      .option('--sounds <folder>', 'WAV files instead of generated sounds, in a folder for each kind'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ cochlea bench invented
  $ cochlea bench invented --models whisper-base --way gate --half validating
  $ cochlea bench invented --sounds ~/recordings --json invented.json

Thresholds of a model may be chosen on sounds of one half only. The other half validates them.`,
    )
    .action(async ({ models, way, half, sounds: folder, ...files }: Options) => {
      const { generatedSounds, recordedSounds } = await import('../sounds/set.js');
      const { loadTranscriber, ways } = await import('../sounds/transcriber.js');
      const { runInvented } = await import('../suites/speech/invented.js');
      const all = await (folder === undefined ? generatedSounds() : recordedSounds(folder));
      const sounds = half === undefined ? all : all.filter((sound) => sound.half === half);
      const { results } = await interruptible((signal) =>
        reportSuite('invented', files, { sounds: sounds.length }, (tell) =>
          runInvented({
            sounds,
            models: models.split(',').map((name) => ({ name, load: () => loadTranscriber(name) })),
            ways: way === undefined ? ways : [way],
            tell,
            signal,
          }),
        ),
      );
      if (results.length === 0) process.exitCode = 1;
    });
